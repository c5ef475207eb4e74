import dns, { type LookupAddress } from 'node:dns';
import net, { isIPv6, Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';

interface Names {
  /** Which address was tried, when, in milliseconds from the first, and what became of its connection. */
  readonly tried: { readonly address: string; readonly at: number; readonly socket: Socket }[];
}

/**
 * Names and the addresses that the system finds for them, in its order. Addresses that are `silent` take no connection and refuse
 * none, as behind a firewall or where a route ends; all others are real. Ends with the test.
 */
export function startNames(
  names: Readonly<Record<string, readonly string[]>>,
  silent: readonly string[] = [],
): Names {
  const tried: Names['tried'] = [];
  const began = performance.now();
  const { lookup } = dns;
  const { connect } = net;
  const found = (
    name: string,
    options: object,
    answer: (error: Error | null, all: LookupAddress[]) => void,
  ) => {
    const addresses = names[name];
    if (addresses === undefined) return Reflect.apply(lookup, dns, [name, options, answer]);
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    // A name without addresses: its servers do not answer.
    if (all.length > 0) setImmediate(() => answer(null, all));
  };
  const dialed = (...given: readonly unknown[]) => {
    const { host } = Object(given[0]);
    const socket = silent.includes(host) ? new Socket() : Reflect.apply(connect, net, given);
    tried.push({ address: host, at: performance.now() - began, socket });
    return socket;
  };
  // The overloads of both are for people.
  const spies = [
    vi.spyOn(dns, 'lookup').mockImplementation(found as never),
    vi.spyOn(net, 'connect').mockImplementation(dialed as never),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { tried };
}
