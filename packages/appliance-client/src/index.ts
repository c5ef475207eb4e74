/** What the package is in other people's programs. Everything else of `src/api` stays inside. */
export type { Dispatcher } from 'undici';
export { connectAppliance } from '../../../src/api/client.ts';
export { DryRunEnd } from '../../../src/api/dry-run.ts';
export * from '../../../src/api/errors.ts';
