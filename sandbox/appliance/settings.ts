import { closest } from 'fastest-levenshtein';
import type { Certified } from './certificate.ts';
import type { Service } from './protocol.ts';
import { NotUnderstood } from './read-fault.ts';
import { isSwitch, type Switches, switchNames } from './switches.ts';

/** How a simulated appliance starts. A switch that is set here is where `reset` puts it again. */
export interface SimulatedApplianceSettings extends Partial<Switches> {
  /** The port of the main address. Default: 0, which takes a free one. */
  readonly port?: number;
  /** The ports of the other addresses. Default: free ones. */
  readonly ports?: Readonly<Partial<Record<Exclude<Service, 'main'>, number>>>;
  /**
   * The Web API key, sent as `X-Auth-Token` or `X-Api-Key`. The calls of the remote-desktop gateway must carry it, and in the generation `field-strict` all
   * calls (appliance-api.md §5.2). Default: no key is asked for.
   */
  readonly key?: string;
  /**
   * Whether its addresses speak https: `true` with a certificate of its own, which `certificate` tells, or with yours (PEM).
   * Default: http.
   */
  readonly https?: true | Certified;
  /** The clock of the appliance, for its events and its work in the background. Default: the real one. */
  readonly clock?: () => Date;
}

const others: Readonly<Record<Exclude<keyof SimulatedApplianceSettings, keyof Switches>, true>> = {
  ...{ port: true, ports: true, key: true, https: true, clock: true },
};
const services: Readonly<Record<Exclude<Service, 'main'>, true>> = {
  ...{ web: true, directory: true, mirror: true, mirrorConsole: true },
};

const settingNames = [...Object.keys(others), ...switchNames];
const serviceNames = Object.keys(services);

/** The switches to turn. Turning them checks their values. @throws NotUnderstood for an unknown setting */
export function switchesAmong(settings: SimulatedApplianceSettings): Partial<Switches> {
  for (const name of Object.keys(settings))
    if (!isSwitch(name) && !Object.hasOwn(others, name)) throw unknown(name, name, settingNames);
  for (const name of Object.keys(settings.ports ?? {}))
    if (!Object.hasOwn(services, name)) throw unknown(`ports.${name}`, name, serviceNames);
  if (settings.key === '')
    throw new NotUnderstood('key is empty; leave it out where no key is to be asked for.');
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => isSwitch(name) && value !== undefined),
  );
}

/** A slip in a name would be taken for nothing at all: no key, no fault. */
function unknown(setting: string, name: string, known: readonly string[]): NotUnderstood {
  return new NotUnderstood(
    `A simulated appliance has no setting ${setting}. Did you mean ${closest(name, [...known])}?`,
  );
}
