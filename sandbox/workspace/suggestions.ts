import { refused } from './acted.ts';
import { optionGroupSchema, optionSchema } from './block-kit/elements.ts';
import { schemaProblems } from './block-kit/validate.ts';
import { interaction } from './payloads.ts';
import type { Member } from './people.ts';
import { find, findElement, where } from './places.ts';
import type { Act, Acted } from './protocol.ts';
import type { World } from './world.ts';

/** An external select asks for options: block_suggestion. Shorter than `min_query_length` (3), nothing is asked. */
export async function suggest(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'suggest' }>,
): Promise<Acted> {
  const place = find(world, person, given.container);
  const element = place && findElement(place.blocks, given.block_id, given.action_id);
  if (place === undefined || element === undefined) return refused('This menu is not there any more.');
  if (given.query.length < Number(element.min_query_length ?? 3)) return { ok: true, options: [] };
  const { block_id, action_id, query } = given;
  const outcome = await world.dispatch.deliver('interactive', {
    ...interaction(world, 'block_suggestion', person),
    ...where(world, place, block_id, action_id),
    block_id,
    action_id,
    value: query,
  });
  if (outcome.kind !== 'acked') return refused('Results did not load.');
  const body = (outcome.body ?? {}) as { readonly options?: unknown; readonly option_groups?: unknown };
  const options = body.options ?? body.option_groups;
  const shape = body.options === undefined ? optionGroupSchema : optionSchema;
  const fits =
    Array.isArray(options) &&
    options.length <= 100 &&
    options.every((option) => schemaProblems(shape, option, '').length === 0);
  return fits ? { ok: true, options } : refused('Results did not load.');
}
