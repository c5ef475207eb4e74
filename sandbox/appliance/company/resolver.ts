/** The settings of the resolver, spelt as the appliance answers them (appliance-api.md §2.8). Flags are 1 or 0. */
export interface ResolverSettings {
  use_tcp: number;
  /** Seconds. */
  timeout: number;
  attempts: number;
  user_rotation: number;
  dont_use_local_dns: number;
  domains_1: string;
  domains_2: string;
  domains_3: string;
  dns_1: string;
  dns_2: string;
  dns_3: string;
  dns_4: string;
  do_not_use_local_dns_cache: number;
}

export interface ResolverState {
  /** As set in the web console; there is no call that changes them. */
  configured: ResolverSettings;
  /** The settings that resolv.conf was last written with. */
  applied: ResolverSettings;
}

/** Somebody added a third DNS server and another search domain in the web console, and did not apply it yet. */
export function resolverOfTheCompany(_now: Date): ResolverState {
  const applied: ResolverSettings = {
    use_tcp: 0,
    timeout: 3,
    attempts: 2,
    user_rotation: 1,
    dont_use_local_dns: 0,
    domains_1: 'corp.example',
    domains_2: '',
    domains_3: '',
    dns_1: '10.20.4.11',
    dns_2: '10.20.4.12',
    dns_3: '',
    dns_4: '',
    do_not_use_local_dns_cache: 0,
  };
  return { configured: { ...applied, domains_2: 'factory.example', dns_3: '10.20.4.13' }, applied };
}
