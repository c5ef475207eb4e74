/** The Public Suffix List as `tldts` keeps it. Its own functions do not tell which domains have suffixes below them. */
declare module 'tldts/dist/cjs/src/data/trie.js' {
  export {
    edgeChild,
    edgeLength,
    edgeStart,
    labelText,
    nodeFlags,
    rulesRoot,
  } from 'tldts/dist/types/src/data/trie.js';
}
