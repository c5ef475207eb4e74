export { build as setup } from '../tools/build.ts';
