import { plan } from './plan.commands.ts';

/** All of a plan as it can be typed again, of which its card and the audit have the first line only; undefined of anything else. */
export function wholePlan({
  phrase,
  args,
}: {
  readonly phrase?: string | undefined;
  readonly args?: unknown;
}): string | undefined {
  const { lines, options }: { lines?: unknown; options?: unknown } = Object(args);
  if (phrase !== plan.phrase || !Array.isArray(lines)) return undefined;
  return [typeof options === 'string' ? `plan ${options}` : 'plan', ...lines.map(String)].join('\n');
}
