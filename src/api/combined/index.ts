/** The combined calls of every area that has some. */
export { acl } from './acl.ts';
export { categories } from './categories.ts';
