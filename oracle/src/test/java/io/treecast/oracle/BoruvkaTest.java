package io.treecast.oracle;

class BoruvkaTest extends MinimumSpanningForestContract {
  @Override
  MinimumSpanningForest algorithm() {
    return new Boruvka();
  }
}
