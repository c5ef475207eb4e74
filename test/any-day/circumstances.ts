import {
  asHere,
  asNobody,
  at,
  homeless,
  inCopy,
  inGerman,
  inOddTemporary,
  inReadOnly,
  isRoot,
  oddName,
  type Stage,
  withoutIpv6,
} from './stage.ts';

/** One row of the table. */
export interface Circumstance {
  readonly name: string;
  /** The circumstance that differs from this machine, and the means. */
  readonly faked: string;
  /** Whether only those tests are run that touch the sandbox or time. */
  readonly isOfTime: boolean;
  /** The number of parts, each with a new clock: the parts cover several moments of the circumstance. */
  readonly parts: number;
  /** @throws where it cannot be had on this machine */
  readonly stage: (folder: string) => Stage;
}

/** A day some ten years from now, on which lasting facts must still hold. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
  (name, index) => clock(name, `2036-11-${17 + index}T10:00:00Z`),
);

export const circumstances: readonly Circumstance[] = [
  ...weekdays,
  clock('february-28', '2028-02-28T10:00:00Z'),
  clock('february-29', '2028-02-29T10:00:00Z'),
  turn('month-ends', '2027-04-30T23:59:40Z'),
  turn('year-ends', '2027-12-31T23:59:40Z'),
  turn('new-york-spring', '2028-03-12T01:59:40-05:00', 'America/New_York'),
  turn('new-york-autumn', '2028-11-05T01:59:40-04:00', 'America/New_York'),
  // There it is the first of March already.
  clock('kolkata', '2028-03-01T00:10:00+05:30', 'Asia/Kolkata'),
  turn('auckland-spring', '2028-09-24T01:59:40+12:00', 'Pacific/Auckland'),
  turn('auckland-autumn', '2028-04-02T02:59:40+13:00', 'Pacific/Auckland'),
  here('german', 'LANG and LC_ALL are de_DE.UTF-8, which is installed', inGerman(true)),
  here('german-missing', 'LANG and LC_ALL are de_DE.UTF-8, which is not installed', inGerman(false)),
  here('not-root', isRoot ? 'setpriv: nobody, in a copy of their own' : 'as it is here', asNobody),
  here('no-home', 'HOME is not set', homeless),
  here('odd-path', `a copy in "${oddName}"`, (stage) => inCopy(stage, oddName)),
  here('odd-temporary', `TMPDIR is "${oddName}"`, inOddTemporary),
  here('read-only', 'unshare --mount: the checkout is mounted read-only', inReadOnly),
  here('no-ipv6', 'unshare --net: 127.0.0.1 and no other address', withoutIpv6),
];

function clock(name: string, begins: string, zone = 'UTC', parts = 1): Circumstance {
  return {
    ...{ name, parts },
    faked: `libfaketime: from ${begins}${zone === 'UTC' ? '' : `, TZ is ${zone}`}`,
    isOfTime: true,
    stage: (folder) => at(Date.parse(begins), zone)(asHere(folder)),
  };
}

/** The day, or the zone's distance to UTC, becomes another one soon after it begins. */
function turn(name: string, begins: string, zone?: string): Circumstance {
  return clock(name, begins, zone, 4);
}

function here(name: string, faked: string, change: (stage: Stage) => Stage): Circumstance {
  return { ...{ name, faked }, isOfTime: false, parts: 1, stage: (folder) => change(asHere(folder)) };
}
