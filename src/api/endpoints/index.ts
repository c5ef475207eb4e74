/** The areas of the API, each a group of declarations under the name that calls use. */
export { categories } from './categories.ts';
export { rdp } from './rdp.ts';
