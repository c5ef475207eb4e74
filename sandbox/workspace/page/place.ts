import { useCallback, useEffect, useState } from 'react';

/** The reader's place in the workspace. Kept in the address, so that reload, back and links work. */
export interface Place {
  /** The viewing person's ID from `?as=`; empty when the address names nobody. */
  readonly viewer: string;
  /** A channel's ID, or 'home' for the App Home; empty for the first channel. */
  readonly where: string;
  /** The parent's ts of the thread in the side pane. */
  readonly thread: string | undefined;
  /** The panel that is open beside the channel. */
  readonly panel: string | undefined;
}

/** `?as=U1&panel=slack#C1/1700000000.000100` */
export function readPlace(address: string): Place {
  const url = new URL(address);
  const [where = '', thread] = decodeURIComponent(url.hash.slice(1)).split('/');
  return {
    viewer: url.searchParams.get('as') ?? '',
    where,
    thread: thread || undefined,
    panel: url.searchParams.get('panel') || undefined,
  };
}

const lastViewer = 'sandbox.viewer';

/** An address that names nobody means whom the reader was last. */
function currentPlace(): Place {
  const place = readPlace(location.href);
  try {
    if (place.viewer) localStorage.setItem(lastViewer, place.viewer);
    else return { ...place, viewer: localStorage.getItem(lastViewer) ?? '' };
  } catch {
    // Without storage the address alone decides.
  }
  return place;
}

export function placeAddress(place: Place): string {
  const hash = place.where && `#${place.where}${place.thread ? `/${place.thread}` : ''}`;
  const query = new URLSearchParams({
    ...(place.viewer && { as: place.viewer }),
    ...(place.panel && { panel: place.panel }),
  });
  return `/${query.size > 0 ? `?${query}` : ''}${hash}`;
}

export function usePlace(): readonly [Place, (change: Partial<Place>) => void] {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const read = () => setPlace(currentPlace());
    addEventListener('popstate', read);
    addEventListener('hashchange', read);
    return () => {
      removeEventListener('popstate', read);
      removeEventListener('hashchange', read);
    };
  }, []);
  const go = useCallback((change: Partial<Place>) => {
    const next = { ...currentPlace(), ...change };
    history.pushState(null, '', placeAddress(next));
    setPlace(next);
  }, []);
  return [place, go];
}
