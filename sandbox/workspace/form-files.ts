import { filePayload } from './file-payload.ts';
import type { Member } from './people.ts';
import type { ViewState } from './protocol.ts';
import type { World } from './world.ts';

/** The values of a form with its `file_input`s as Slack sends them: whole file objects, of this person's own uploads only. */
export function withFiles(world: World, person: Member, state: ViewState): ViewState {
  const whole = (entered: unknown): unknown => {
    const ids = fileIds(entered);
    if (ids === undefined) return entered;
    const files = ids.flatMap((id) => world.files.find(id) ?? []);
    const own = files.filter(({ user }) => user === person.id);
    return { type: 'file_input', files: own.map((file) => filePayload(world, file)) };
  };
  return Object.fromEntries(
    Object.entries(state).map(([block, actions]) => [
      block,
      Object.fromEntries(Object.entries(actions).map(([action, entered]) => [action, whole(entered)])),
    ]),
  );
}

/** A submitted form hands its files to the app, which may read them from then on. */
export function giveFilesToApp(world: World, state: ViewState): void {
  for (const entered of Object.values(state).flatMap((actions) => Object.values(actions))) {
    for (const id of fileIds(entered) ?? []) {
      const file = world.files.find(id);
      if (file !== undefined) world.files.giveToApp(file);
    }
  }
}

/** The IDs in the value of a `file_input`; undefined for the value of anything else. */
function fileIds(entered: unknown): string[] | undefined {
  if (typeof entered !== 'object' || entered === null || !('files' in entered)) return undefined;
  if (!Array.isArray(entered.files)) return undefined;
  return entered.files.flatMap((file: unknown) =>
    typeof file === 'object' && file !== null && 'id' in file && typeof file.id === 'string' ? [file.id] : [],
  );
}
