import type { ResolverSettings } from '../company/resolver.ts';
import { done } from '../envelope.ts';
import type { Area } from '../route.ts';

/** The resolver configuration: appliance-api.md §4.11. */
export const resolver: Area = {
  routes: [
    {
      method: 'GET',
      path: '/system/network/resolvconf',
      answer: ({ state }) => ({
        Status: true,
        Error: '',
        Data: Buffer.from(resolvConf(state.resolver.applied)).toString('base64'),
      }),
    },
    // §2.8 lists every field of this answer; an envelope is not among them.
    {
      method: 'GET',
      path: '/system/network/resolvconfig',
      answer: ({ state }) => state.resolver.configured,
    },
    {
      method: 'GET',
      path: '/system/network/resolvapply',
      answer({ state }) {
        state.resolver.applied = { ...state.resolver.configured };
        // The shape is not documented.
        return done('resolv.conf is saved');
      },
    },
  ],
};

/** resolv.conf as these settings make it, as `man 5 resolv.conf` has it. */
function resolvConf(settings: ResolverSettings): string {
  const domains = [settings.domains_1, settings.domains_2, settings.domains_3].filter(Boolean);
  const servers = [settings.dns_1, settings.dns_2, settings.dns_3, settings.dns_4].filter(Boolean);
  // The document does not say how the two flags differ; either of them disables the appliance's own DNS.
  const local = settings.dont_use_local_dns === 0 && settings.do_not_use_local_dns_cache === 0;
  const options = [
    `timeout:${settings.timeout}`,
    `attempts:${settings.attempts}`,
    ...(settings.user_rotation === 1 ? ['rotate'] : []),
    ...(settings.use_tcp === 1 ? ['use-vc'] : []),
  ];
  return [
    '# Written by the appliance; changes made here are lost',
    ...(domains.length > 0 ? [`search ${domains.join(' ')}`] : []),
    `options ${options.join(' ')}`,
    ...[...(local ? ['127.0.0.1'] : []), ...servers].map((address) => `nameserver ${address}`),
    '',
  ].join('\n');
}
