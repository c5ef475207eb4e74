import { area } from '../endpoint.ts';
import { Misfit } from '../reading/bounds.ts';
import { anywhere } from '../reading/reply-reader.ts';
import {
  component,
  eachOnce,
  flag,
  integer,
  list,
  mapped,
  optional,
  record,
  required,
  text,
  type Unread,
  type ValueOf,
} from '../reading/shape.ts';

/** An SSL-inspection rule (appliance-api.md §2.4). */
export type SslRule = ValueOf<typeof sslRule>;

/** An ACL object as an SSL-inspection rule uses it (§2.4). */
export interface SslRuleObject extends Unread {
  readonly id: number;
  readonly name?: string;
  readonly type?: string;
  readonly negated?: boolean;
  readonly order?: number;
  readonly parameters?: string;
}

/**
 * `Gpid` and `ID` both identify the object and are equal in the document's example. If they differ, Gpid
 * counts, because ACL records refer to objects by it (§2.2).
 */
const ruleObject = mapped(
  component(
    'SslRuleObject',
    'An ACL object as an SSL-inspection rule uses it (§2.4).',
    record({
      gpid: optional('Gpid', integer, 'The ID of the ACL object.'),
      id: optional('ID', integer, 'The same as Gpid.'),
      name: optional('GroupName', text, 'The name of the object.'),
      type: optional(
        'GroupType',
        text,
        'What it matches, such as destination domains by regular expressions.',
      ),
      negated: optional('Negation', flag, 'The negation flag.'),
      order: optional('ZOrder', integer, 'Its place inside the rule.'),
      parameters: optional('Params', text, 'Parameters; which ones is not documented.'),
    }),
  ),
  ({ gpid, id = gpid, ...others }): SslRuleObject => {
    if (id === undefined) throw new Misfit('Gpid', 'is missing');
    return { id: gpid ?? id, ...others };
  },
);

const sslRule = component(
  'SslRule',
  'An SSL-inspection rule (§2.4).',
  record({
    id: required('Id', integer, 'The ID of the rule.'),
    name: optional('Description', text, 'The name of the rule.'),
    decodes: optional('Crypt', flag, 'Whether it decodes SSL; otherwise, it leaves SSL untouched.'),
    order: optional('Order', integer, 'Its place among the rules.'),
    enabled: optional('Enabled', flag, 'Whether it is active.'),
    objects: optional('Objects', list(ruleObject), 'The ACL objects that it applies to.'),
  }),
);

const endpoint = area({ section: '§4.2', availableFrom: '4.50 SP5, or 4.50 SP4 hotfix 20250525-12' });

export const ssl = {
  listRules: endpoint('GET /proxy/acls/ssl/rules', {
    summary: 'The SSL-inspection rules with the ACL objects they use.',
    effect: 'read',
    reply: anywhere(eachOnce(list(sslRule)), ['Rules', 'Data'], 'The rules.'),
    large: true,
  }),

  build: endpoint('GET /proxy/ssl/build', {
    summary: 'Compiles the SSL-inspection rules into production.',
    effect: 'write',
    slow: true,
  }),
};
