import { type AclState, aclOfTheCompany } from './company/acl.ts';
import { type AnalysisState, analysisOfTheCompany } from './company/analysis.ts';
import { type AuthdnsState, authdnsOfTheCompany } from './company/authdns.ts';
import { type CategoriesState, categoriesOfTheCompany } from './company/categories.ts';
import { type DirectoryState, directoryOfTheCompany } from './company/directory.ts';
import { type FtpdState, ftpdOfTheCompany } from './company/ftpd.ts';
import { type MirrorState, mirrorOfTheCompany } from './company/mirror.ts';
import { type RdpState, rdpOfTheCompany } from './company/rdp.ts';
import { type ResolverState, resolverOfTheCompany } from './company/resolver.ts';
import { type SoftwareState, softwareOfTheCompany } from './company/software.ts';
import { type SqldbState, sqldbOfTheCompany } from './company/sqldb.ts';
import { type SslState, sslOfTheCompany } from './company/ssl.ts';
import { type VlanState, vlanOfTheCompany } from './company/vlan.ts';
import { type WaysState, waysOfTheCompany } from './company/ways.ts';

/**
 * The true state of the simulated appliance, area by area, whatever its answers said. Tests may read and change it
 * between requests. It holds data only, so that it can be copied (`structuredClone`).
 */
export interface State {
  readonly acl: AclState;
  readonly ssl: SslState;
  readonly categories: CategoriesState;
  readonly analysis: AnalysisState;
  readonly sqldb: SqldbState;
  readonly rdp: RdpState;
  readonly software: SoftwareState;
  readonly vlan: VlanState;
  readonly authdns: AuthdnsState;
  readonly ftpd: FtpdState;
  readonly resolver: ResolverState;
  readonly directory: DirectoryState;
  readonly mirror: MirrorState;
  readonly ways: WaysState;
}

/**
 * A company in the middle of a working day. Each area is made at its first use, since few programs use all; `made` is
 * called then, to let time pass in it.
 */
export function companyState(now: Date, made?: () => void): State {
  const areas: { readonly [Area in keyof State]: () => State[Area] } = {
    acl: () => aclOfTheCompany(now),
    ssl: () => sslOfTheCompany(now),
    categories: () => categoriesOfTheCompany(now),
    analysis: () => analysisOfTheCompany(now),
    sqldb: () => sqldbOfTheCompany(now),
    rdp: () => rdpOfTheCompany(now),
    software: () => softwareOfTheCompany(now),
    vlan: () => vlanOfTheCompany(now),
    authdns: () => authdnsOfTheCompany(now),
    ftpd: () => ftpdOfTheCompany(now),
    resolver: () => resolverOfTheCompany(now),
    directory: () => directoryOfTheCompany(now),
    mirror: () => mirrorOfTheCompany(now),
    ways: () => waysOfTheCompany(),
  };
  return lazily<State>(Object.keys(areas) as (keyof State)[], (area) => areas[area](), made);
}

/** A copy that later changes do not touch. Each area is copied when it is first read, so read it before the other changes. */
export const copyOf = (state: State): State =>
  lazily(Object.keys(state) as (keyof State)[], (area) => structuredClone(state[area]));

/** Whether somebody has looked at this area. */
export const isMade = (state: State, area: string): boolean =>
  Object.getOwnPropertyDescriptor(state, area)?.value !== undefined;

/** An object whose values are made when they are first read. */
function lazily<Whole extends object>(
  keys: readonly (keyof Whole)[],
  make: <Key extends keyof Whole>(key: Key) => Whole[Key],
  made: () => void = () => undefined,
): Whole {
  const whole = {} as Whole;
  for (const key of keys) {
    const set = (value: Whole[typeof key]) => {
      Object.defineProperty(whole, key, { value, writable: true, enumerable: true, configurable: true });
    };
    const get = () => {
      set(make(key));
      made();
      return whole[key];
    };
    Object.defineProperty(whole, key, { get, set, enumerable: true, configurable: true });
  }
  return whole;
}
