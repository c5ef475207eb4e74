import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** All of `npm test` but the browser's. */
export const allTests = (): readonly string[] =>
  globSync('{src,sandbox,test,bench}/**/*.test.ts', { exclude: ['test/{browser,long}/**'] }).sort();

/** Code that reads or makes a day or an hour; a timer does not. */
const clock = /\bDate[.(]|\bIntl\.DateTimeFormat\b/;

interface Module {
  readonly touches: boolean;
  readonly imports: readonly string[];
}

/** Tests that import something of `sandbox/`, or a module with a clock, at any depth. */
export function touchingSandboxOrTime(): readonly string[] {
  const modules = new Map<string, Module>();
  const moduleOf = (file: string): Module => {
    const module = modules.get(file) ?? read(file);
    modules.set(file, module);
    return module;
  };
  return allTests().filter((test) => {
    const reached = new Set([test]);
    for (const file of reached) {
      const { touches, imports } = moduleOf(file);
      if (touches) return true;
      for (const next of imports) reached.add(next);
    }
    return false;
  });
}

function read(file: string): Module {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g);
  return {
    touches: file.startsWith('sandbox/') || clock.test(text),
    imports: [...imports].map(([, from = '']) => normalize(join(dirname(file), from))),
  };
}
