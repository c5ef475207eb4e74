export { acl } from './acl.ts';
export { categories } from './categories.ts';
