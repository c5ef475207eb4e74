import type { NamedEntry } from '../../api/index.ts';
import { type Argument, domain as anyDomain } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { showDomain } from '../language/domain.ts';
import { answeredFrom, countText, listing, readBackIn } from '../listing.ts';
import { type Field, plural, say, strong } from '../reply.ts';
import { happened, notHappened, nothing, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { numberUnder, reportedTable } from '../wording/reported.ts';
import { processOf } from '../wording/service-process.ts';

/** A name, and no address: the server manages domains. */
const domain: Argument<string> = {
  what: 'a domain',
  example: 'branch.corp.example',
  read: (word) => {
    const reading = anyDomain.read(word);
    const isAddress = reading.ok && (reading.value.includes(':') || /^[\d.]+$/.test(reading.value));
    return isAddress ? { ok: false, problem: { code: 'not_a_domain' } } : reading;
  },
};

const managedDomains = listing<NamedEntry>({
  things: 'domains',
  read: ({ authdns }) => authdns.listDomains(),
  keyOf: ({ name }) => name,
  isUp: async ({ authdns }) => {
    const { info, fields } = await authdns.status();
    return processOf({ state: info, ...fields }).running === true;
  },
});

export const domains = lookup({
  phrase: 'dns domains',
  says: `
    dns zones / which domains does our dns serve / list zones / which zones do we host / show dns domains /
    authoritative domains / which zones are on the dns server / what zones exist / is the zone there /
    list of dns domains / zones on our name server / is <domain> one of our zones / which dns zones exist
  `,
  summary: 'List the domains of the DNS server',
  answer: answeredFrom(
    () => managedDomains,
    async (look) => {
      const managed = look.all;
      if (managed.length === 0) return { headline: say`The DNS server manages no domains` };
      // Shows the name first and once, without the appliance's own column for it.
      const rows = managed.map(({ name, fields }) => ({
        Domain: showDomain(name),
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== name)),
      }));
      return {
        headline: say`The DNS server manages ${countText(look, 'domain')}`,
        details: [await reportedTable(rows)],
      };
    },
  ),
});

export const add = change({
  phrase: 'dns domain add <domain>',
  says: `
    add domain <domain> to dns / create dns zone <domain> / add zone <domain> / new dns domain <domain> /
    create main domain <domain> / host the zone <domain> / set up zone <domain> /
    our dns should serve <domain> / we need zone <domain> in dns / add <domain> as dns zone /
    serve <domain> from our dns
  `,
  also: ['dns domain create <domain>'],
  args: { domain },
  summary: 'Create a domain on the DNS server; it cannot be deleted with the API',
  example: 'dns domain add branch.corp.example',
  effect: 'write',
  verb: 'Add',
  doing: ({ domain: name }) => say`Adding ${showDomain(name)} to the DNS server`,
  done: ({ domain: name }) => say`Domain ${strong(showDomain(name))} added to the DNS server`,
  preview: async ({ appliance, args }) => {
    const name = showDomain(args.domain);
    const managed = await appliance.authdns.listDomains();
    if (managed.some((one) => isSame(one.name, args.domain)))
      return nothing`The DNS server of ${strong(appliance.name)} already manages ${name}.`;
    const within = managed.find((one) => args.domain.endsWith(`.${one.name.toLowerCase()}`))?.name;
    return ready({
      question: say`Create the domain ${strong(name)} on the DNS server of ${strong(appliance.name)}?`,
      fields: [
        ...(within === undefined
          ? []
          : [{ name: 'Part of', value: say`${within}, which it already manages` }]),
        ...consequences(name),
      ],
      fingerprint: { domain: args.domain, managed: false },
    });
  },
  run: ({ appliance, args }) => appliance.authdns.addDomain({ domain: args.domain }),
  verify: readBackIn<{ readonly domain: string }, NamedEntry>(
    () => managedDomains,
    async ({ seek }, { args }) => {
      const { found } = await seek((one) => isSame(one.name, args.domain));
      const name = showDomain(args.domain);
      if (found === undefined) return notHappened`Domains read back: ${name} is not among them.`;
      const records = numberUnder(found.fields, 'records', 'recordcount');
      const holds = records === undefined ? '' : `, with ${plural(records, 'record')}`;
      return happened`Domains read back: ${name} is there${holds}. Undo is not available: the API cannot delete a domain.`;
    },
  ),
});

const consequences = (name: string): readonly Field[] => [
  {
    name: 'Impact',
    value: say`the server answers for every name in ${name}; a name it does not have does not resolve`,
  },
  { name: 'Undo', value: say`not available: the API cannot delete a domain` },
];

/** DNS names ignore case, and may end in a dot. */
const isSame = (listed: string, asked: string): boolean =>
  listed.toLowerCase().replace(/\.$/, '') === asked.toLowerCase();

export const removeZone = impossible({
  says: `
    remove dns zone / delete dns domain / drop zone / remove domain from dns / delete domain from dns
  `,
  why: 'The Web API can add a domain to the DNS server, but cannot remove one.',
  source: 'appliance-api.md §4.9',
  nearest: ['dns domains'],
});

export const dnsRecords = impossible({
  says: `
    add dns record / create a record in dns / add cname / change dns entry / add mx record /
    delete dns record / new host in dns / add ptr / add an a record for / add an a record / new dns record /
    create dns entry / point the name to an ip / set a dns entry / add an a record for <name> /
    add an a record <name> <address> in <zone> / add record <name> in zone <zone> /
    which dns records do we have / which records are in zone <zone> / show the records of <zone> /
    list dns entries of <zone> / what address has <name> in dns / change the ip of <name> in dns /
    remove the record of <name> / edit the zone file / change the ttl / show the zone file of <zone> /
    flush the dns cache / clear the dns cache
  `,
  why: 'The Web API manages the domains of the DNS server, but not the records in them.',
  source: 'appliance-api.md §4.9',
  nearest: ['dns domains', 'dns reload'],
});
