import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { logOf } from './same-file.ts';

/**
 * Moves what the log of a journal holds into its file, on a thread of its own: a checkpoint waits for the disk, and whoever
 * waits for it on the event loop keeps everybody else waiting.
 */
export interface LogMover {
  /** To be called after each commit. */
  readonly committed: () => void;
  /** To be called when the file was opened: a killed process has left its log behind. */
  readonly opened: () => void;
  /** Resolves when the thread has no connection to the file. */
  readonly rests: () => Promise<void>;
  /** Ends the thread. Nothing is moved any more. */
  readonly end: () => Promise<void>;
}

/** In bytes. A checkpoint keeps the disk busy, and every commit waits for the disk: moved more often, the log delays answers. */
const long = 16 * 1_024 * 1_024;

/** The length of the log is looked at once in so many commits. */
const often = 32;

/** The thread waits so long for those who write, in milliseconds. */
const patience = 100;

/**
 * The thread. Its text stands here because a built bot is one file. The first checkpoint keeps nobody waiting and moves most of the log;
 * the second one makes writers wait until the rest is moved. The next move brings what this one could not.
 */
const program = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (file) => {
    try {
      const database = new DatabaseSync(new URL(file), { timeout: ${patience} });
      try {
        database.exec('pragma wal_checkpoint(passive)');
        database.exec('pragma wal_checkpoint(truncate)');
      } finally {
        database.close();
      }
    } catch {}
    parentPort.postMessage('over');
  });`;

/** The log is moved only while `may`: it stays with the file that was opened. */
export function createLogMover(file: string, may: () => boolean): LogMover {
  const address = pathToFileURL(file);
  // SQLite would create a file that was deleted.
  address.searchParams.set('mode', 'rw');
  let commits = 0;
  let worker: Worker | undefined;
  let moving: PromiseWithResolvers<void> | undefined;
  let isOver = false;

  return {
    committed: () => {
      commits += 1;
      if (commits >= often) look();
    },
    opened: look,
    rests: async () => moving?.promise,
    end: async () => {
      isOver = true;
      worker?.ref();
      await moving?.promise;
      await worker?.terminate();
    },
  };

  function look(): void {
    commits = 0;
    if (moving !== undefined || isOver || !may()) return;
    if ((statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0) < long) return;
    moving = Promise.withResolvers();
    worker ??= start();
    worker.postMessage(address.href);
  }

  function start(): Worker {
    // What the process was started with is not meant for it.
    const started = new Worker(program, { eval: true, execArgv: [] });
    const over = () => {
      moving?.resolve();
      moving = undefined;
    };
    started.on('message', over);
    // The next commits start another one. Until then SQLite moves the log itself when it is very long (`pragmas`).
    started.on('error', () => undefined);
    started.on('exit', () => {
      worker = undefined;
      over();
    });
    started.unref();
    return started;
  }
}
