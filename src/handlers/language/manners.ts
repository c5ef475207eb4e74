/** Longer lines are no small talk, and need no look at it. */
const longest = 300;

const before = /^(?:please|pls|plz|hey|hi|hello|ok|okay|can you|could you|would you|will you)[ ,:!]+/i;
const after = /(?<![ ,])[ ,]+(?:please|pls|plz|thanks|thank you|thx|asap|now)$|(?<![ ?!])[ ?!]+$/i;

/** A line without what people say around it: "please", "thanks", a question mark. The same line where nothing does. */
export function withoutManners(line: string): string {
  if (line.length > longest) return line;
  const shorter = line.replace(before, '').replace(after, '');
  return shorter === line ? line : withoutManners(shorter);
}
