/** The public exports of the package. Everything else of `sandbox/appliance` stays inside. */
export * from '../../../sandbox/appliance/index.ts';
export { fieldFaults } from '../../../sandbox/appliance/kinds.ts';
