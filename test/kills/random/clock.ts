/**
 * Loaded before the bot (`--import`): its process goes by a clock that is so many milliseconds ahead of the machine's, at its
 * start and whenever its parent says another number. Timers go by real time, as they do when somebody sets a clock.
 */
const RealDate = Date;
const realNow = Date.now;
let ahead = Number(process.env.CLOCK_AHEAD ?? 0);
const now = () => realNow() + ahead;

RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (real, given, asked) => Reflect.construct(real, given.length === 0 ? [now()] : given, asked),
  apply: () => String(new RealDate(now())),
});

process.on('message', (said) => {
  if (typeof said === 'object' && said !== null && 'ahead' in said) ahead = Number(said.ahead);
});
// The channel must not keep the process alive.
process.channel?.unref();
