import { accessSync, constants } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';

/** The circumstance of a process, as the process sees it. */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: string;
  readonly language: string;
  readonly user: number | undefined;
  /** Null where HOME is not set. */
  readonly home: string | null;
  readonly checkout: string;
  readonly isCheckoutWritable: boolean;
  readonly timed: string;
  readonly hasIpv6: boolean;
}

export function facts(): Facts {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    now: Date.now(),
    zone: timeZone,
    language: locale,
    user: process.getuid?.(),
    home: process.env.HOME ?? null,
    checkout: process.cwd(),
    isCheckoutWritable: isWritable('.'),
    timed: tmpdir(),
    hasIpv6: Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.family === 'IPv6'),
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) process.stdout.write(JSON.stringify(facts()));
