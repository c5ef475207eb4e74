/** The appliance, typed: what the rest of the bot may use of this folder. */
export {
  type Appliance,
  type ApplianceSettings,
  type AskedAppliance,
  type Call,
  type CallOptions,
  connectAppliance,
} from './client.ts';
export type { Accepted, Effect, Endpoint, Method } from './endpoint.ts';
export type { Categorization, Category } from './endpoints/categories.ts';
export * as areas from './endpoints/index.ts';
export type { Session, Since } from './endpoints/rdp-sessions.ts';
export * from './errors.ts';
export type { Pace } from './permits.ts';
export type { Deadlines, RequestReport } from './transport.ts';
