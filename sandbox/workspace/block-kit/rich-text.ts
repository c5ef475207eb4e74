import { anyText, block, bool, byType, type Schema, shape, text } from './shapes.ts';

const style: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'].map(
      (name) => [name, bool],
    ),
  ),
};
const rich = (
  type: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema => shape(type, { style, ...properties }, required);
const richText = rich('text', { text: anyText }, ['text']);
const richLink = rich('link', { url: text(3000), text: { type: 'string' }, unsafe: bool }, ['url']);
const inline = byType({
  text: richText,
  link: richLink,
  user: rich('user', { user_id: anyText }, ['user_id']),
  usergroup: rich('usergroup', { usergroup_id: anyText }, ['usergroup_id']),
  team: rich('team', { team_id: anyText }, ['team_id']),
  channel: rich('channel', { channel_id: anyText }, ['channel_id']),
  emoji: rich('emoji', { name: anyText, unicode: { type: 'string' }, url: { type: 'string' } }, ['name']),
  date: rich(
    'date',
    { timestamp: { type: 'integer' }, format: anyText, url: anyText, fallback: { type: 'string' } },
    ['timestamp', 'format'],
  ),
  broadcast: rich('broadcast', { range: { enum: ['here', 'channel', 'everyone'] } }, ['range']),
  color: rich('color', { value: anyText }, ['value']),
});
const inlines = (of: Schema): Schema => ({ type: 'array', items: of });
const border: Schema = { type: 'integer', minimum: 0, maximum: 1 };
const richSection = shape('rich_text_section', { elements: inlines(inline) }, ['elements']);
const richParts = byType({
  rich_text_section: richSection,
  rich_text_list: shape(
    'rich_text_list',
    {
      elements: { type: 'array', items: richSection },
      style: { enum: ['bullet', 'ordered'] },
      indent: { type: 'integer', minimum: 0, maximum: 8 },
      offset: { type: 'integer', minimum: 0 },
      border,
    },
    ['elements', 'style'],
  ),
  rich_text_preformatted: shape(
    'rich_text_preformatted',
    { elements: inlines(byType({ text: richText, link: richLink })), border, language: anyText },
    ['elements'],
  ),
  rich_text_quote: shape('rich_text_quote', { elements: inlines(inline), border }, ['elements']),
});

export const richTextSchema = block(
  'rich_text',
  { elements: { type: 'array', minItems: 1, items: richParts } },
  ['elements'],
);
