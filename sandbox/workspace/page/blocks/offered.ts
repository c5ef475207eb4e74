import { useEffect, useState } from 'react';
import { channelOf, nameOf, useWorkspace } from '../workspace.ts';
import type { Element, Option } from './elements.ts';
import { type Suggested, useSurface } from './surface.tsx';
import { words } from './Text.tsx';

/** One line of a select's list. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly detail?: string;
  /** The heading above the first line of its group. */
  readonly group?: string;
  /** The option object itself, where the element's value is an option and not an ID. */
  readonly option?: Option;
}

const ofOption = (option: Option, group?: string): Choice => ({
  key: option.value,
  label: words(option.text),
  ...(option.description && { detail: words(option.description) }),
  ...(group && { group }),
  option,
});

const ofOptions = ({ options, option_groups: groups }: NonNullable<Suggested>): readonly Choice[] => [
  ...(options ?? []).map((option) => ofOption(option)),
  ...(groups ?? []).flatMap((group) =>
    group.options.map((option, index) => ofOption(option, index === 0 ? words(group.label) : undefined)),
  ),
];

/** Waits for a pause in the typing, as Slack does, so that the app is not asked at each key. */
function useSuggested(blockId: string, element: Element, query: string | undefined) {
  const surface = useSurface();
  const [suggested, setSuggested] = useState<{ for: string; found: Suggested }>();
  const asks = element.type.endsWith('external_select');
  const enough = query !== undefined && query.length >= (element.min_query_length ?? 3);
  // Asking again when the surface was drawn anew would ask without end; only the question itself counts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!asks || !enough) return;
    let stale = false;
    const pause = setTimeout(async () => {
      const found = await surface.suggest(blockId, element, query);
      if (!stale) setSuggested({ for: query, found });
    }, 200);
    return () => {
      stale = true;
      clearTimeout(pause);
    };
  }, [asks, enough, query]);
  return { enough, answered: suggested?.for === query, found: suggested?.found };
}

/** Choices of a select for a typed text, and the name of its present value. */
export function useChoices(blockId: string, element: Element, query: string | undefined) {
  const { directory } = useWorkspace();
  const suggested = useSuggested(blockId, element, query);
  const nameOfId = (id: string) => {
    const channel = channelOf(directory, id);
    return channel ? `#${channel.name}` : `@${nameOf(directory, id)}`;
  };

  const people = () =>
    directory.people.map(
      (person): Choice => ({
        key: person.id,
        label: `@${nameOf(directory, person.id)}`,
        detail: person.title,
      }),
    );
  const channels = () => directory.channels.map((one): Choice => ({ key: one.id, label: `#${one.name}` }));

  const all = (): readonly Choice[] => {
    const source = element.type.replace('multi_', '');
    if (source === 'external_select') return ofOptions(suggested.found ?? {});
    if (source === 'users_select') return people();
    if (source === 'channels_select') return channels();
    if (source === 'conversations_select') return [...channels(), ...people()];
    return ofOptions(element);
  };

  const asks = element.type.endsWith('external_select');
  const wanted = (query ?? '').toLowerCase();
  const choices = asks ? all() : all().filter((choice) => choice.label.toLowerCase().includes(wanted));
  const note = () => {
    if (asks && !suggested.enough) return 'Keep typing to search…';
    if (asks && !suggested.answered) return 'Searching…';
    if (asks && !suggested.found) return 'Results did not load.';
    return choices.length === 0 ? 'No results' : undefined;
  };
  return { choices: asks && !suggested.enough ? [] : choices, nameOf: nameOfId, note: note() };
}
