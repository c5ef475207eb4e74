import { expect, test } from 'vitest';
import { placeAddress, readPlace } from './place.ts';

test('a link leads back to the person, the channel and the thread that it was made from', () => {
  const place = { viewer: 'U1', where: 'C1', thread: '1700000000.000100', panel: undefined };
  expect(placeAddress(place)).toBe('/?as=U1#C1/1700000000.000100');
  expect(readPlace(`http://127.0.0.1${placeAddress(place)}`)).toEqual(place);
});

test('an address without a place opens no channel, thread or panel', () => {
  expect(readPlace('http://127.0.0.1/')).toEqual({
    viewer: '',
    where: '',
    thread: undefined,
    panel: undefined,
  });
});

test('a link opens a panel again', () => {
  const place = { viewer: 'U1', where: 'C1', thread: undefined, panel: 'appliance' };
  expect(placeAddress(place)).toBe('/?as=U1&panel=appliance#C1');
  expect(readPlace(`http://127.0.0.1${placeAddress(place)}`)).toEqual(place);
});
