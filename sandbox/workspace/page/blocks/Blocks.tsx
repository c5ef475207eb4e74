import type { Block } from '../../protocol.ts';
import { Draw, Slots } from './Draw.tsx';
import { withBlockIds } from './elements.ts';
import { prepare } from './prepare.tsx';

/** Block Kit, drawn and usable. Stands inside a `SurfaceProvider`. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  const { drawn, slots } = prepare(withBlockIds(blocks));
  return (
    <Slots value={slots}>
      <Draw className="blocks" blocks={drawn} />
    </Slots>
  );
}
