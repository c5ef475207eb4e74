import { resolve } from 'node:path';
import { entriesOf } from '../content.ts';
import { referenceShape } from '../secret.ts';

/** The paths of all files that the policy file refers to: secrets and certificates. */
export function filesReferredTo(content: unknown, folder: string): readonly string[] {
  const tls = Object.values(entriesOf(content, 'appliances')).map((one) => entriesOf(one, 'tls'));
  const certificates = tls.flatMap(({ ca, certificate }) => [ca, certificate]);
  const named = [...certificates, ...fileReferences(content)];
  const paths = named.flatMap((one) => (typeof one === 'string' ? [resolve(folder, one)] : []));
  return [...new Set(paths)].toSorted();
}

/** Wherever a reference may stand. */
function fileReferences(content: unknown): readonly string[] {
  if (typeof content === 'string') {
    const [, source, name] = referenceShape.exec(content) ?? [];
    return source === undefined || name === undefined ? [] : [name];
  }
  return typeof content === 'object' && content !== null
    ? Object.values(content).flatMap(fileReferences)
    : [];
}
