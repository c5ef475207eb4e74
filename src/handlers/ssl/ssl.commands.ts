import type { SslRule, SslRuleObject } from '../../api/index.ts';
import { sslRules, stateOf } from '../acl/objects.ts';
import { named, nameOrNumber } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, listedIn } from '../listing.ts';
import { code, enumerate, fieldList, paragraph, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { digestOf, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';

/** A rule of SSL inspection (appliance-api.md §2.4). */
const rule = named('an SSL rule', '9', (appliance) =>
  listedIn(sslRules, appliance, (one) => ({
    id: one.id,
    name: one.name ?? '',
    hint: `${effectOf(one)}, ${stateOf(one)}`,
  })),
);

export const rules = lookup({
  phrase: 'ssl rules',
  says: `
    ssl rules / is ssl inspection on / which sites are decrypted / ssl inspection exceptions /
    what is not decrypted / ssl bump / which traffic is inspected / certificate errors /
    is <domain> decrypted / is ssl inspection on for / https inspection / list ssl rules /
    which ssl rules are there / which sites are not decrypted / is ssl decryption on / do we decrypt /
    do we break ssl / is <domain> inspected / which sites are exempted from ssl inspection /
    certificate warning in the browser / users get certificate warnings / https exceptions /
    is the traffic decrypted / which rules has ssl inspection / what do we decrypt
  `,
  summary: 'List SSL-inspection rules: what is decrypted and what is not',
  answer: answeredFrom(
    () => sslRules,
    (look, { appliance }) => {
      const all = inOrder(look.all);
      if (all.length === 0) return { headline: say`${strong(appliance.name)} lists no SSL-inspection rules` };
      const disabled = all.filter(({ enabled }) => enabled === false).length;
      return {
        headline: say`${countText(look, 'SSL rule')}${disabled === 0 ? '' : `, ${disabled} of them disabled`}`,
        details: [
          ...tableOf(all, {
            Rule: (one) => one.id,
            Name: nameOrNumber,
            Action: effectOf,
            State: stateOf,
            Objects: objectsOf,
          }),
          paragraph`Rules are listed in the order they are applied. ${builtNote}`,
        ],
      };
    },
  ),
});

export const show = lookup({
  phrase: 'ssl rule <rule>',
  byNameAlone: true,
  says: `
    show ssl rule <rule> / details of ssl rule <rule> / what does ssl rule <rule> do /
    which objects does ssl rule <rule> use / what is in ssl rule <rule> / is ssl rule <rule> active /
    explain ssl rule <rule> / ssl rule number <rule> / show rule <rule> / which sites has ssl rule <rule>
  `,
  args: { rule },
  summary: 'Show an SSL-inspection rule and its ACL objects',
  example: 'ssl rule 9',
  answer: async ({ appliance, args }) => {
    const { found, all: listed, lack } = await sslRules.seek(appliance, ({ id }) => id === args.rule.id);
    if (found === undefined)
      return { headline: say`SSL rule ${args.rule.id} no longer exists on ${strong(appliance.name)}` };
    const { objects = [] } = found;
    const all = inOrder(listed);
    return {
      headline: say`SSL rule ${strong(nameOrNumber(found))} ${effectOf(found)} and is ${strong(stateOf(found))}`,
      details: [
        fieldList({
          ID: say`${found.id}`,
          Order:
            lack === undefined
              ? say`number ${all.indexOf(found) + 1} of ${all.length}`
              : say`not known: ${appliance.name} ${lack}`,
        }),
        ...(objects.length === 0
          ? [
              'Objects' in (found.unread ?? {})
                ? paragraph`The ACL objects that it uses could not be read.`
                : paragraph`It uses no ACL objects.`,
            ]
          : [
              ...tableOf(objects, {
                Object: (one) => one.id,
                Name: (one) => one.name ?? 'not reported',
                Type: (one) => one.type ?? 'not reported',
                Matches: (one) => (one.negated ? 'everything except its records' : 'its records'),
                Parameters: (one) => one.parameters || '–',
              }),
            ]),
        { kind: 'text', text: builtNote },
      ],
    };
  },
});

export const build = change({
  ...acting('Build', 'the SSL rules'),
  phrase: 'ssl build',
  says: `
    recompile ssl / compile ssl rules / apply ssl inspection / rebuild ssl rules / reload ssl /
    make ssl rules live / compile the ssl rules / ssl rules not active / activate the ssl rules /
    deploy ssl rules / make the ssl changes live / build ssl / ssl change has no effect /
    ssl regeln neu bauen / rebuild ssl / ssl rules are not active / apply ssl / new ssl rules do nothing /
    activate my ssl inspection changes / activate the ssl changes / make the inspection rules live
  `,
  also: ['ssl compile', 'ssl rules build', 'ssl rules compile'],
  summary: 'Compile the SSL-inspection rules of the web console into production',
  effect: 'write',
  preview: async ({ appliance }) => {
    const all = inOrder((await sslRules.look(appliance)).all);
    const enabled = all.filter((one) => one.enabled !== false);
    return ready({
      question: say`Build the SSL rules of ${strong(appliance.name)}?`,
      fields: {
        'Go live': say`${plural(enabled.length, 'enabled rule')} of ${all.length}`,
        Impact: say`changes others made in the web console also take effect`,
      },
      fingerprint: { rules: digestOf(all) },
    });
  },
  run: ({ appliance }) => appliance.ssl.build(),
  verify: { notCheckable: 'the API does not report active SSL rules' },
});

/** The list is the configuration; nothing reports the rules in force (§4.2). */
const builtNote: Text = say`This is the configuration. Changes since the last ${code('/appliance ssl build')} are not in effect yet.`;

/** In their order of evaluation; rules without a number come last. */
const inOrder = (all: readonly SslRule[]): readonly SslRule[] =>
  all.toSorted((one, other) => (one.order ?? Infinity) - (other.order ?? Infinity) || 0);

const effectOf = ({ decodes }: SslRule): string =>
  decodes === undefined ? 'has an unreported action' : decodes ? 'decrypts' : 'does not decrypt';

function objectsOf({ objects }: SslRule): Text {
  if (objects === undefined) return say`not reported`;
  return objects.length === 0 ? say`no object` : enumerate(objects.map(objectName));
}

const objectName = (one: SslRuleObject): string => `${one.negated ? 'not ' : ''}${nameOrNumber(one)}`;

export const changeSslRule = impossible({
  says: `
    create ssl rule / delete ssl rule / disable ssl rule / enable ssl rule / change ssl rule /
    turn off ssl inspection / disable ssl inspection / install certificate / renew certificate /
    upload certificate / turn ssl inspection on / turn on ssl inspection /
    enable ssl inspection / enable https inspection / switch ssl inspection back on / ssl inspection off /
    ssl inspection on / stop inspecting https / move ssl rule <rule> up / change the order of ssl rules /
    new ssl inspection rule / disable inspection for everybody / switch off https inspection /
    stop decrypting / no more ssl inspection / do not decrypt at all
  `,
  why: 'The Web API lists and compiles SSL-inspection rules, but cannot change a rule or a certificate. You can add a site to an ACL object that a rule uses.',
  source: 'appliance-api.md §4.2',
  nearest: ['acl record add <object> <pattern>… [--note]', 'ssl rules', 'ssl build'],
});

export const certificates = impossible({
  says: `
    when does our inspection certificate expire / where is the root certificate /
    download the root certificate of the proxy / which ca is used for inspection /
    export the ca certificate / install a certificate / renew the certificate / upload a certificate /
    replace the proxy certificate / is our root certificate still valid /
    users get certificate warnings everywhere / what is the expiry date of our proxy ca /
    expiry date of the ca / our ca expires / when does the ca expire / fingerprint of the ca /
    when does our root cert expire / when does the root certificate expire / cert expiry /
    ca certificate expiry / send me the ca certificate / install the ca certificate /
    download the ca certificate
  `,
  why: 'The Web API lists and compiles SSL-inspection rules, but cannot show or replace certificates.',
  source: 'appliance-api.md §4.2',
  nearest: ['ssl rules', 'analyze <website>'],
});
