import { z } from 'zod';
import type { Entity } from './shown.ts';

/** Work Objects: an app's own things, in its messages and where people post links to them. */

const button = z.looseObject({
  text: z.string().min(1),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2_000).optional(),
});

const schema = z.looseObject({
  entity_type: z.enum([
    'slack#/entities/task',
    'slack#/entities/file',
    'slack#/entities/item',
    'slack#/entities/incident',
    'slack#/entities/content_item',
  ]),
  url: z.url(),
  external_ref: z.strictObject({ id: z.string().min(1), type: z.string().optional() }),
  app_unfurl_url: z.url().optional(),
  entity_payload: z.looseObject({
    attributes: z.looseObject({ title: z.looseObject({ text: z.string().min(1) }) }),
    fields: z.record(z.string(), z.looseObject({})).optional(),
    custom_fields: z
      .array(z.looseObject({ key: z.string(), label: z.string(), type: z.string() }))
      .optional(),
    display_order: z.array(z.string()).optional(),
    actions: z
      .looseObject({
        primary_actions: z.array(button).max(2).optional(),
        overflow_actions: z.array(button).max(5).optional(),
      })
      .optional(),
  }),
});

export type WorkObject = z.infer<typeof schema>;

type Read = { readonly entity: WorkObject } | { readonly problems: readonly string[] };

/** Reads an entity, or names its mistake, with `at` as its place, such as `/metadata/entities/0`. */
export function readEntity(given: unknown, at: string): Read {
  const { data, error } = schema.safeParse(given);
  return data !== undefined
    ? { entity: data }
    : {
        problems: error.issues.map(
          ({ path, message }) => `${message} [json-pointer:${[at, ...path].join('/')}]`,
        ),
      };
}

/** The parts of a message that hold entities. */
interface Holder {
  readonly metadata: unknown;
  readonly attachments: readonly unknown[] | undefined;
}

/** The entities of a message: its own, and those of the links in it. */
export function entitiesOf({ metadata, attachments }: Holder): readonly WorkObject[] {
  // Both were checked when they came.
  const own = (metadata as { readonly entities?: readonly WorkObject[] } | undefined)?.entities ?? [];
  const unfurled = ((attachments ?? []) as readonly { readonly entity?: WorkObject }[]).flatMap(
    ({ entity }) => entity ?? [],
  );
  return [...own, ...unfurled];
}

/** An entity as the page is shown it. */
export function showEntity({ external_ref, url, entity_payload }: WorkObject): Entity {
  const { attributes, fields = {}, custom_fields = [], actions } = entity_payload;
  const all = [...Object.entries(fields), ...custom_fields.map((field) => [field.key, field] as const)];
  const buttons = [...(actions?.primary_actions ?? []), ...(actions?.overflow_actions ?? [])];
  return {
    id: external_ref.id,
    title: attributes.title.text,
    url,
    fields: Object.fromEntries(all.map(([name, field]) => [String(field.label ?? name), said(field, name)])),
    ...(buttons.length > 0 && {
      buttons: buttons.map(({ text, action_id, value }) => ({ text, action_id, value })),
    }),
  };
}

/** In words, with people and moments as a text has them; several, one after the other. */
function said({ value, user, type }: Readonly<Record<string, unknown>>, name: string): string {
  const person = user as { readonly user_id?: string; readonly text?: string } | undefined;
  if (person !== undefined)
    return person.user_id === undefined ? (person.text ?? '') : `<@${person.user_id}>`;
  if (Array.isArray(value)) return value.map((one) => said(one, name)).join(', ');
  const isMoment =
    typeof value === 'number' && (type === 'slack#/types/timestamp' || name.startsWith('date_'));
  return isMoment ? `<!date^${value}^{date_short_pretty} {time}|${inUtc(value)}>` : String(value ?? '');
}

/** A time for a reader without a known zone: `2026-11-25 18:00 UTC`. Seconds since the epoch. */
const inUtc = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
