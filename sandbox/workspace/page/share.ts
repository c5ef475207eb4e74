/**
 * The new value, made of the old one's parts wherever those are equal. Snapshots come whole at each change; with
 * their parts shared, only what really changed is drawn again. Both values are plain JSON.
 */
export function share<T>(old: unknown, fresh: T): T {
  if (Object.is(old, fresh)) return fresh;
  if (Array.isArray(fresh)) {
    if (!Array.isArray(old)) return fresh;
    const shared = fresh.map((part, index) => share(old[index], part));
    // An array of shared parts is what `fresh` is, part by part.
    return (same(old, shared) ? old : shared) as T;
  }
  if (!isRecord(fresh) || !isRecord(old) || Array.isArray(old)) return fresh;
  const shared = Object.fromEntries(Object.entries(fresh).map(([key, part]) => [key, share(old[key], part)]));
  const keys = Object.keys(shared);
  const unchanged = keys.length === Object.keys(old).length && keys.every((key) => shared[key] === old[key]);
  // The same holds for a record.
  return (unchanged ? old : shared) as T;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const same = (old: readonly unknown[], shared: readonly unknown[]) =>
  old.length === shared.length && shared.every((part, index) => part === old[index]);
