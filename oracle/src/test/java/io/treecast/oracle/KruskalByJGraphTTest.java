package io.treecast.oracle;

class KruskalByJGraphTTest extends MinimumSpanningForestContract {
  @Override
  MinimumSpanningForest algorithm() {
    return new KruskalByJGraphT();
  }
}
