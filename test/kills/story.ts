import { setTimeout as pause } from 'node:timers/promises';
import type { Kind, Name, Scene, Turn } from './kind.ts';

/** A person in front of the bot, who sees the screen and acts on it. */
export interface Stage {
  /** The person's view of a line that they typed. */
  readonly look: (by: Name, line: string) => Promise<Sight> | Sight;
  readonly type: (by: Name, line: string) => Promise<void>;
  /** False where there is no such button. */
  readonly press: (by: Name, label: string) => Promise<boolean>;
  /** False where no form is open. */
  readonly fill: (by: Name, values: Readonly<Record<string, string>>) => Promise<boolean>;
  /** Does nothing when the visitor has the page of their request. */
  readonly send: (site: string) => Promise<void>;
  /** Does it on the appliance, unless that was done before. */
  readonly turn: (scene: Turn) => void;
  readonly pass: (minutes: number) => Promise<void>;
  /** Resolves when the bot has nothing more to say, or is dead. */
  readonly rest: () => Promise<void>;
  readonly isDead: () => boolean;
}

export type Sight =
  /** The person has read nothing at all. */
  | 'nothing'
  /** They are asked to say it again. */
  | 'again'
  /** The line is under way, or waits for somebody. */
  | 'open'
  | 'answered';

/** So often somebody says the same thing again before they give up. */
const timeout = 3;

/**
 * Plays a story from where it stands, as far as this life goes. Resolves to how often something was said again; `begins` is
 * told when a scene does, `misses` when what it is about is not there.
 */
export async function play(
  stage: Stage,
  { scenes }: Kind,
  {
    begins = () => undefined,
    misses = () => undefined,
  }: { readonly begins?: (scene: number) => void; readonly misses?: (what: string) => void } = {},
): Promise<number> {
  let again = 0;
  await stage.rest();
  for (let tries = 0; tries < timeout; tries += 1) {
    for (const [index, scene] of scenes.entries()) {
      if (stage.isDead()) return again;
      if (tries === 0) begins(index);
      await act(scene, tries);
      await stage.rest();
    }
    if (stage.isDead() || !(await isToSayAgain())) return again;
  }
  return again;

  async function act(scene: Scene, tries: number): Promise<void> {
    if ('passes' in scene) return stage.pass(scene.passes);
    if ('turns' in scene) return stage.turn(scene);
    if ('sends' in scene) return stage.send(scene.sends);
    const by = scene.by ?? 'bob';
    if ('presses' in scene) {
      const all = [by, scene.so ?? []].flat();
      const presses = Promise.all(all.map((one) => stage.press(one, scene.presses)));
      const { meanwhile } = scene;
      if (meanwhile !== undefined && !(await pressSoon(stage, by, meanwhile, presses)))
        misses(`no button says ${meanwhile} meanwhile`);
      if ((await presses).includes(false)) misses(`no button says ${scene.presses}`);
      return;
    }
    if ('fills' in scene) {
      if (!(await stage.fill(by, scene.fills))) misses('no form is open');
      return;
    }
    const sight = await stage.look(by, scene.types);
    if (sight === 'open' || sight === 'answered') return;
    if (sight === 'again' || tries > 0) again += 1;
    await stage.type(by, scene.types);
  }

  async function isToSayAgain(): Promise<boolean> {
    for (const scene of scenes) {
      if (!('types' in scene)) continue;
      const sight = await stage.look(scene.by ?? 'bob', scene.types);
      if (sight === 'nothing' || sight === 'again') return true;
    }
    return false;
  }
}

/** False where it is not there before all that `begins` has begun has come to its end. */
async function pressSoon(stage: Stage, by: Name, label: string, begins: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  // Asked before, the bot may rest because it has not heard of it yet.
  void begins.then(stage.rest).then(end, end);
  for (;;) {
    if (await stage.press(by, label)) return true;
    if (isOver || stage.isDead()) return false;
    await pause(1);
  }
}

/** Whether what the bot keeps is what somebody typed: a form fills in, and an ID takes the place of a name. */
export const isAbout = (kept: string, typed: string): boolean => beginningOf(kept) === beginningOf(typed);

export const beginningOf = (line: string): string => line.split(/\s+/).slice(0, 3).join(' ');

/** Words that ask somebody to say it again. */
export const asksAgain = (words: string): boolean =>
  /ask again|(?:type|run) (?:the command|it|this) again|(?:send|submit) it again|try again/i.test(words);
