// Which members fulfil conditions on their labels, as `treecast members --where` reads them. Nothing here keeps a state.

const COMPARISON = /^([A-Za-z0-9._-]{1,63})\s*(!=|<=|>=|=|<|>)\s*([^=<>!,][^,]*)$/;
const PRESENCE = /^(!?)\s*([A-Za-z0-9._-]{1,63})$/;
const NUMBERS = /^\d{1,100}(\.\d{1,100})*$/;

const HOLDS = {
  "=": order => order === 0, "!=": order => order !== 0, "<": order => order < 0, "<=": order => order <= 0,
  ">": order => order > 0, ">=": order => order >= 0
};

/** Whether a text in the field of the search is more than a part of a name. */
export function isSelector(text) {
  return /[=<>!,]/.test(text);
}

/** Terms that must all hold; null if one of them is no term, as while it is typed. */
export function parse(text) {
  const terms = text.split(",").map(part => term(part.trim()));
  return terms.includes(null) ? null : terms;
}

function term(text) {
  const comparison = COMPARISON.exec(text);
  if (comparison !== null) {
    return { label: comparison[1], operator: comparison[2], value: comparison[3].trim() };
  }
  const presence = PRESENCE.exec(text);
  return presence === null ? null : { label: presence[2], operator: presence[1] === "" ? "is" : "is not", value: "" };
}

/** Whether a member with this id and these labels, an object, fulfils all terms. */
export function matches(terms, id, labels) {
  return terms.every(({ label, operator, value }) => {
    const is = label === "id" ? id : Object.hasOwn(labels, label) ? labels[label] : undefined;
    if (operator === "is" || operator === "is not") {
      return (is !== undefined) === (operator === "is");
    }
    return is === undefined ? operator === "!=" : HOLDS[operator](compare(is, value));
  });
}

/** Texts of digits and dots compare part by part, as versions do. */
function compare(one, other) {
  if (!NUMBERS.test(one) || !NUMBERS.test(other)) {
    return one < other ? -1 : one > other ? 1 : 0;
  }
  const [parts, otherParts] = [one.split("."), other.split(".")];
  for (let i = 0; i < Math.max(parts.length, otherParts.length); i++) {
    const [part, otherPart] = [BigInt(parts[i] ?? 0), BigInt(otherParts[i] ?? 0)];
    if (part !== otherPart) {
      return part < otherPart ? -1 : 1;
    }
  }
  return 0;
}
