import { BlockList, isIP } from 'node:net';
import type { Problem } from '../problem.ts';

/** Loopback addresses: nobody can listen in between. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/**
 * Reads SLACK_API_URL. The tokens and all messages go to this address, so they must not leave this machine
 * unencrypted. Returns the normalized address, so that no other code reads it differently (`127.1`, `\@`).
 * @returns the address, ending in a slash; undefined if none is set, or if it is invalid and `problems` says
 * why
 */
export function readSlackAddress(given: string | undefined, problems: Problem[]): string | undefined {
  if (!given) return undefined;
  const url = URL.parse(given);
  const wrong = url === null ? notAnAddress : whatIsWrong(url);
  if (url === null || wrong !== undefined) {
    problems.push({ key: 'SLACK_API_URL', wrong: wrong ?? notAnAddress, example });
    return undefined;
  }
  // With the dot it would be resolved; without it the hosts file applies.
  if (url.hostname === 'localhost.') url.hostname = 'localhost';
  return url.href.replace(/(?<!\/)\/*$/, '/');
}

const example = 'SLACK_API_URL=http://127.0.0.1:9700/api/';
const notAnAddress = 'is not an http or https address.';

function whatIsWrong({ protocol, username, password, hostname, href }: URL): string | undefined {
  if (!/^https?:$/.test(protocol)) return notAnAddress;
  if (username !== '' || password !== '') {
    return 'has a user name or a password before an @, so the bot did not start: its tokens could go to an unexpected host. Remove the user name, the password and the @.';
  }
  if (/[?#]/.test(href)) return 'contains a ? or a #. End it with its path, such as /api/.';
  if (protocol === 'http:' && !isThisMachine(hostname)) {
    return 'is a plain http address on another machine, so the bot did not start: its tokens and messages could be read in transit. Use an https address. Plain http is allowed only on this machine (127.0.0.1, [::1] or localhost).';
  }
  return undefined;
}

/** Other names than this one may be those of any machine. */
export function isThisMachine(hostname: string): boolean {
  const address = hostname.replaceAll(/[[\]]/g, '');
  const family = isIP(address);
  if (family === 0) return /^localhost\.?$/.test(hostname);
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
