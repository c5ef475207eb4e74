/** The public exports of the package. Everything else of `src/api` stays inside. */
export type { Dispatcher } from 'undici';
export { connectAppliance } from '../../../src/api/client.ts';
export { DryRunEnd } from '../../../src/api/dry-run.ts';
export * from '../../../src/api/errors.ts';
