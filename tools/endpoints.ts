import { describedOperations } from '../src/api/described.ts';

/** `area<TAB>method<TAB>path<TAB>effect<TAB>available-from` for every operation; the method is `-` where none is documented. */
export function endpointLines(): string[] {
  return describedOperations().map(({ area, method, endpoint }) =>
    [area, method, endpoint.path, endpoint.effect, endpoint.availableFrom ?? '-'].join('\t'),
  );
}

if (import.meta.main) process.stdout.write(`${endpointLines().join('\n')}\n`);
