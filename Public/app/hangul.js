// Search as Koreans type it: composed or not, with or without spaces, by whole words or by initial consonants (ㄱㅊ finds
// 김치), and already while the last syllable is being typed (기 finds 김).

const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;
const perInitial = 588;
const perMedial = 28;
const initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";

function isSyllable(code) {
  return code >= firstSyllable && code <= lastSyllable;
}

/** Whether a typed character stands for a character of a text. */
function stands(typed, code, isLast) {
  const wanted = typed.codePointAt(0);
  if (wanted === code) return true;
  if (!isSyllable(code)) return false;
  const initial = initials.indexOf(typed);
  if (initial >= 0) return Math.floor((code - firstSyllable) / perInitial) === initial;
  const isOpen = isSyllable(wanted) && (wanted - firstSyllable) % perMedial === 0;
  return isLast && isOpen && code - wanted < perMedial && code > wanted;
}

function prepared(text) {
  return Array.from(text.normalize("NFC").toLowerCase().replace(/\s+/gu, ""));
}

/** A test for texts that hold what was typed; null when nothing was. */
export function matcher(typed) {
  const wanted = prepared(typed);
  if (wanted.length === 0) return null;
  return (text) => {
    const codes = prepared(text).map((character) => character.codePointAt(0));
    for (let start = 0; start + wanted.length <= codes.length; start += 1) {
      const holds = wanted.every((character, index) =>
        stands(character, codes[start + index], index === wanted.length - 1));
      if (holds) return true;
    }
    return false;
  };
}
