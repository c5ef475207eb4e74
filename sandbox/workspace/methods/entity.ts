import { parseJson } from '../content.ts';
import { readEntity, showEntity } from '../entities/entity.ts';
import { Refusal, refuseWith } from '../refusal.ts';
import { flag, optional, required } from './arguments.ts';
import type { Answering } from './method.ts';

/** Shows details to the person who opened an entity, asks them to sign in, or says why there are none. */
const presentDetails: Answering = ({ world, args }) => {
  const asked = world.details.askedWith(required(args, 'trigger_id'));
  if (asked === undefined) throw new Refusal('invalid_trigger_id');
  if (flag(args, 'user_auth_required')) {
    const url = optional(args, 'user_auth_url');
    if (url === undefined) throw new Refusal('user_auth_url_missing');
    world.details.show(asked, { state: 'sign_in', url });
    return {};
  }
  if (args.error !== undefined) {
    const error = parseJson(args.error, 'invalid_arguments') as { readonly [field: string]: unknown } | null;
    if (!statuses.has(error?.status))
      throw refuseWith('invalid_arguments', ['unknown status [json-pointer:/error/status]']);
    const [status, says] = [String(error?.status), error?.custom_message];
    world.details.show(asked, { state: 'failed', status, ...(typeof says === 'string' ? { says } : {}) });
    return {};
  }
  const read = readEntity(parseJson(args.metadata ?? null, 'invalid_metadata'), '/metadata');
  if ('problems' in read) throw refuseWith('invalid_metadata', read.problems);
  if (read.entity.external_ref.id !== asked.entity)
    throw new Refusal('entity_metadata_does_not_match_trigger');
  world.details.show(asked, { state: 'shown', entity: showEntity(read.entity) });
  return {};
};

const statuses: ReadonlySet<unknown> = new Set([
  'restricted',
  'internal_error',
  'not_found',
  'custom',
  'custom_partial_view',
  'timeout',
  'edit_error',
]);

export const entity = { presentDetails };
