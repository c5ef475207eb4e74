import { area } from '../endpoint.ts';
import { anywhere } from '../reading/reply.ts';
import {
  flag,
  integer,
  list,
  Misfit,
  mapped,
  optional,
  record,
  required,
  text,
  type ValueOf,
} from '../reading/shape.ts';

/** An SSL-inspection rule (appliance-api.md §2.4). */
export type SslRule = ValueOf<typeof sslRule>;

/** An ACL object as an SSL-inspection rule uses it (§2.4). */
export interface SslRuleObject {
  /** The ACL object's own identifier. */
  readonly id: number;
  readonly name?: string;
  /** Its matcher type. */
  readonly type?: string;
  /** The negation flag. */
  readonly negated?: boolean;
  /** Its place inside the rule. */
  readonly order?: number;
  readonly parameters?: string;
}

/**
 * `Gpid` and `ID` are both the object's identifier and have the same value in the document's example. Should they
 * differ, Gpid counts: it is what ACL records call their object by (§2.2).
 */
const ruleObject = mapped(
  record({
    gpid: optional('Gpid', integer),
    id: optional('ID', integer),
    name: optional('GroupName', text),
    type: optional('GroupType', text),
    negated: optional('Negation', flag),
    order: optional('ZOrder', integer),
    parameters: optional('Params', text),
  }),
  ({ gpid, id = gpid, ...others }): SslRuleObject => {
    if (id === undefined) throw new Misfit('Gpid', 'is missing');
    return { id: gpid ?? id, ...others };
  },
);

const sslRule = record({
  id: required('Id', integer),
  /** `Description` on the wire. */
  name: optional('Description', text),
  /** True when the rule decodes SSL, false when it leaves it untouched. */
  decodes: optional('Crypt', flag),
  order: optional('Order', integer),
  enabled: optional('Enabled', flag),
  objects: optional('Objects', list(ruleObject)),
});

const endpoint = area({ section: '§4.2', availableFrom: '4.50 SP5, or 4.50 SP4 hotfix 20250525-12' });

/** SSL inspection. */
export const ssl = {
  listRules: endpoint('GET /proxy/acls/ssl/rules', {
    summary: 'The SSL-inspection rules with the ACL objects they use.',
    effect: 'read',
    reply: anywhere(list(sslRule), ['Rules', 'Data']),
    large: true,
  }),

  build: endpoint('GET /proxy/ssl/build', {
    summary: 'Compiles the SSL-inspection rules into production.',
    effect: 'write',
    slow: true,
  }),
};
