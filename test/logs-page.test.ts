import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allEvents as events, eventsByArea } from '../src/telemetry/all-events.ts';

describe('the events of the log', () => {
  test('have each an ID of their own, fit for a metric’s label', () => {
    expect(events.length).toBeGreaterThan(80);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.filter(({ id }) => !/^[a-z]+(_[a-z]+)*$/.test(id))).toEqual([]);
  });

  test('are all known to the metrics and to docs/logs.md, whatever file declares them', () => {
    const files = readdirSync(new URL('../src/telemetry/events/', import.meta.url));
    const areas = files.filter((name) => !['event.ts', 'fields.ts'].includes(name));
    expect([...eventsByArea.keys()].map((area) => `${area}.ts`)).toEqual(areas.toSorted());
  });

  test('have a message that is a sentence without a full stop, and a meaning with one', () => {
    expect(events.filter(({ says }) => /^[^A-Z]|\.$/.test(says)).map(({ id }) => id)).toEqual([]);
    expect(events.filter(({ means }) => !/^[A-Z].*\.$/s.test(means)).map(({ id }) => id)).toEqual([]);
  });

  test('have no field with the name of one that every line has', () => {
    const ofAll = new Set(['level', 'time', 'event', 'msg', 'version', 'replica', 'called', 'trace']);
    expect(
      events.filter(({ fields }) => fields.some((field) => ofAll.has(field))).map(({ id }) => id),
    ).toEqual([]);
  });
});
