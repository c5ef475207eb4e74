import type { TrustedProxies } from './address.ts';

/** Where the page is served, and what its tokens are signed with. */
export interface BlockPageSettings {
  /** Where people reach it, such as `https://ask.example.com`: what their browsers say that they have called. */
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  /** The present one first. */
  readonly secrets: readonly string[];
  readonly trustedProxies: TrustedProxies;
}
