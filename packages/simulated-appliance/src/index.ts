/** What the package is in other people's tests. Everything else of `sandbox/appliance` stays inside. */
export * from '../../../sandbox/appliance/index.ts';
export { fieldFaults } from '../../../sandbox/appliance/kinds.ts';
