import { type Chart, chartSummary, say } from '../../handlers/reply.ts';
import type { Attachment, SaidPart } from '../base/chat.ts';
import { fileName } from './plain-files.ts';

/** What a message has room for in one chart; what is more is drawn as a picture (slack-facts.md §3). */
export const chartRoom = { points: 20, series: 12 } as const;

/** A chart and what it shows in words; as a picture of its own where it is too much for a message. */
export function chartIn(
  chart: Chart,
  { whispered = false, line }: { readonly whispered?: boolean; readonly line: string | undefined },
  files: Attachment[],
): readonly SaidPart[] {
  const words: SaidPart = { kind: 'text', text: say`${chartSummary(chart)}` };
  const isLarge = chart.labels.length > chartRoom.points || chart.series.length > chartRoom.series;
  if (!isLarge || whispered) return [words, chart];
  files.push({ name: fileName(line ?? chart.title, 'png'), title: chart.title, content: chart });
  return [words];
}
