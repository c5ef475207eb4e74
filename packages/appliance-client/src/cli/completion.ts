import { areas, inDashes, typedCalls } from './calls.ts';
import { switches } from './given.ts';
import { addressOptions } from './settings.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Completions for the last of these words, which may be empty. */
export function candidates(words: readonly string[]): readonly string[] {
  const typed = words.at(-1) ?? '';
  return possible(words.slice(0, -1), typed).filter((one) => one.startsWith(typed));
}

function possible(before: readonly string[], typed: string): readonly string[] {
  const [area, word] = before;
  if (area === undefined) return [...areas.map((one) => one.area), 'completion', '--help', '--version'];
  if (area === 'completion') return word === undefined ? shells : [];
  const calls = typedCalls().filter((call) => call.area === area);
  if (word === undefined) return [...calls.map((call) => call.word), '--help'];
  const call = calls.find((one) => one.word === word);
  if (call === undefined || !typed.startsWith('-')) return [];
  const own = call.arguments.flatMap(({ name, isSecret }) => {
    const option = `--${inDashes(name)}`;
    return isSecret ? [`${option}-file`, `${option}-env`] : [option];
  });
  return [...own, ...switches.map((name) => `--${name}`), ...addressOptions.map((name) => `--${name}`)];
}

/** Shell scripts that complete by asking this program. Files are offered if it knows nothing. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_appliance() {
  local IFS=$'\\n'
  COMPREPLY=($(appliance complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _appliance appliance
`,
  zsh: `#compdef appliance
_appliance() {
  local -a found
  found=("\${(@f)$(appliance complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _appliance appliance
`,
  fish: `function __appliance
  set -l words (commandline -opc)
  set -l found (appliance complete -- $words[2..] (commandline -ct) 2>/dev/null)
  if test -n "$found"; printf '%s\\n' $found; else; __fish_complete_path (commandline -ct); end
end
complete -c appliance -f -a '(__appliance)'
`,
};
