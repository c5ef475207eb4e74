/** Phrases of several words that commands take as one: verbs, spans and moments. A quoted word stays as it is. */
const verbs: readonly (readonly [RegExp, string])[] = [
  [/\b(?:switch|turn|put) ((?:\S+ ){0,3}?)(?:back )?on\b/gi, 'enable $1'],
  [/\b(?:switch|turn|put) ((?:\S+ ){0,3}?)(?:back )?off\b/gi, 'disable $1'],
  // The thing after "off" and "out of" is the current place: "throw bob off the gateway", "take it out of
  // gambling".
  [/\b(?:log|sign|throw|kick|get) ((?:\S+ ){1,3}?)(?:off|out)(?: of)?(?= [^\s,;.!?])/gi, 'disconnect $1from'],
  [/\btake ((?:\S+ ){1,3}?)(?:off|out|away)(?: of| from)?(?= [^\s,;.!?])/gi, 'remove $1from'],
  [/\b(?:log|sign|throw|kick) ((?:\S+ ){0,3}?)(?:off|out)\b/gi, 'disconnect $1'],
  [/\b(?:log|sign)(?:ged)? ?in\b/gi, 'login'],
  [/\bshut (?:(\S+) )?down\b/gi, 'shutdown $1'],
  [/\b(?:bring|put) ((?:\S+ ){0,3}?)(?:back )?up\b/gi, 'start $1'],
  [/\b(?:bring|take|put) ((?:\S+ ){0,3}?)(?:back )?down\b/gi, 'stop $1'],
  [/\b(?:bring|put|get) ((?:\S+ ){0,3}?)(?:back )?offline\b/gi, 'disable $1'],
  [/\b(?:bring|put|get) ((?:\S+ ){0,3}?)(?:back )?online\b/gi, 'enable $1'],
  [/\btake ((?:\S+ ){0,3}?)(?:out|off|away)\b/gi, 'remove $1'],
  [/\bbring back (?=\S+ \S)/gi, 'enable '],
  [/\bbring ((?:\S+ ){1,3}?)back\b/gi, 'enable $1'],
  [/\bget rid of\b/gi, 'remove'],
  // "the ban on example.com should go" orders what "remove the ban on example.com" orders.
  [
    /^((?:the|this|that|our|my) .+?) (?:(?:should|must|can|may|has to|have to|needs? to) (?:go|disappear|be gone|die)|(?:should|must) be (?:gone|history))(?: away)?$/gi,
    'remove $1',
  ],
  // Two words for one list.
  [/\b(deny|block|black|allow|white)[ -]lists?\b/gi, '$1list'],
  [/\bback (?:in|into|to) (?:service|operation|use)\b/gi, 'on'],
  [/\bout of (?:service|operation|use)\b/gi, 'off'],
  [/\bneu (?:zu )?starten\b/gi, 'restart'],
  [/\b(does|do|did|is|are|was|were|should|must)n['’]?t\b/gi, '$1 not'],
  [/\bget ((?:\S+ ){1,3}?)(?:out|off)\b/gi, 'disconnect $1'],
  [/\b(?:out of|away from|off of)\b/gi, 'from'],
  // Phrasings for a site that does not open: "won't load", "isn't working", "unable to get to".
  [/\b(?:can['’]?t|can not|couldn['’]?t|could not|(?:not |un)able to|can no longer)\b/gi, 'cannot'],
  [/\bno longer (?=(?:open|reach|access|load|get)\b)/gi, 'cannot '],
  [/\bcannot be (?:opened|reached|loaded|accessed|displayed|visited|found)\b/gi, 'cannot open'],
  [
    /\bcannot ((?:\S+ ){0,3}?)(?:reach|access|load|visit|browse(?: to)?|(?:get|go) (?:in|on)?to|(?:get|go) on)\b/gi,
    'cannot $1open',
  ],
  [
    /\b(?:won['’]?t|will not|doesn['’]?t|does not|isn['’]?t|is not) (?:([^\s.]+\.\S+) )?(?:(open|load|work|respond)(?:ing|s)?)\b/gi,
    '$1 does not $2',
  ],
  [/\b(is|does|will) ([^\s.]+\.\S+) not (open|load|work|respond)(?:ing)?\b/gi, '$2 does not $3'],
  [/\b(blocked|denied|forbidden) for (?:me|us)\b/gi, '$1'],
  [/\bblocked? ?pages?\b/gi, 'block page'],
  [
    /\b(?:tell|inform|notify|warn|alert|ping|message|let) (?:me|us)(?: know)? (?:when|if|once|as soon as|before|after)\b/gi,
    'alert',
  ],
  [/\bset up\b/gi, 'create'],
  [/\b(?:get|throw|stick|slap|chuck|drop) ([^\s.]+\.\S+) (?=(?:on|in)(?:to)? )/gi, 'put $1 '],
  // Where a site is now stands behind "not", whichever of both is said first.
  [
    /(?<!\S)([^\s.]+\.\S+) (?:is|are|should be|belongs?(?: in(?:to)?| to)?) ([^\s,]+),? (?:and )?(?:not|instead of|rather than) (?:in |to )?(?!but\b)([^\s,]+)$/gi,
    'move $1 from $3 to $2',
  ],
  [/\b(?:at (?:the|this) moment|right now|at present)\b/gi, ''],
  [/\b(?:remote[- ]?desktops?|terminal[- ]?servers?)\b/gi, 'rdp'],
  [/\bsecond factors?\b/gi, '2fa'],
  [/\bactive directory\b/gi, 'ad'],
  [/\b(?:no longer|not any ?more)\b/gi, 'not'],
  [/\bback (?:(\S+) )?up\b/gi, 'backup $1'],
  [/\blook(?:ing)? (?:(\S+) )?up\b/gi, 'lookup $1'],
  [/\blet (?:(\S+) )?(?:through|pass)\b/gi, 'allow $1'],
];

const moments: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [
    /\b(\d+) ?(seconds?|minutes?|mins?|hours?|hrs?|days?)\b/gi,
    (_, count = '', unit = '') => `${count}${unit[0]?.toLowerCase()}`,
  ],
  [/\b(?:half an hour|half hour)\b/gi, '30m'],
  [/\b(?:an|one|a) hour\b/gi, '1h'],
  [/\b(?:a|one) day\b/gi, '1d'],
  [/\b(?:since|in|within|during|over|for)? ?(?:the )?(?:last|past) (\d+[smhd])\b/gi, ' since $1'],
  [/\b(?:in |during |within )?(?:the )?(?:last|past|this) hour\b/gi, 'since 1h'],
  [/\b(?:in |during |within )?(?:the )?(?:last|past|this) (?:day|24 ?h)\b/gi, 'since 1d'],
  [/\b(?:in |during |within )?(?:the )?(?:last|past|this) week\b/gi, 'since 7d'],
  [/\b(?:since )?yesterday\b/gi, 'since yesterday'],
  [/\b(?:since )?(?:today|this morning)\b/gi, 'since 00:00'],
  [/\b(?:last night|tonight)\b/gi, 'since 12h'],
];

/** Replaces each of these by its one word. */
export const inOneWord = (line: string): string =>
  line
    .split(/("[^"]*")/)
    .map((part) =>
      part.startsWith('"')
        ? part
        : [...moments, ...verbs].reduce((text, [shape, word]) => text.replace(shape, word as string), part),
    )
    .join('');
