// What the panel of dev mode says, in both languages; apart from the shop's words, which everybody loads.

import { language } from "/app/preferences.js";

const words = {
  ko: {
    title: "개발 모드",
    close: "닫기",
    seedGood: "seed 파일이 그대로 반영되어 있습니다.",
    seedBad: (count) => `seed 파일에 고칠 곳이 ${count}군데 있습니다. 그동안은 마지막으로 올바른 내용을 보여 드립니다.`,
    more: (count) => `그 밖에 ${count}군데`,
    rules: "서버 전체에 켜진 장애",
    faults: "이 브라우저에만 일으킬 장애",
    groups: { late: "지연", errors: "오류", content: "내용", body: "전송", pictures: "사진", chance: "빈도" },
    apply: "적용",
    clear: "모두 끄기",
    none: "지금은 장애가 없습니다.",
    active: "켜진 장애",
    refused: "서버에 물어볼 수 없습니다.",
    requests: "요청",
    requestsNone: "아직 요청이 없습니다.",
    requestsAll: "이 페이지의 파일도",
    dropped: "끊음",
    brokenOff: "중간에 끊김",
  },
  en: {
    title: "Dev mode",
    close: "Close",
    seedGood: "The seed file is taken as it is.",
    seedBad: (count) => `${count} ${count === 1 ? "fault" : "faults"} in the seed file. Until then you see the last good catalog.`,
    more: (count) => `and ${count} more`,
    rules: "Faults for everybody",
    faults: "Faults for this browser alone",
    groups: { late: "Late", errors: "Errors", content: "Content", body: "Transfer", pictures: "Pictures", chance: "How often" },
    apply: "Apply",
    clear: "Turn off",
    none: "No fault is on.",
    active: "On now",
    refused: "The server could not be asked about it.",
    requests: "Requests",
    requestsNone: "No request yet.",
    requestsAll: "these pages’ files, too",
    dropped: "dropped",
    brokenOff: "broken off",
  },
};

/** A text of the panel; one that depends on values is a function of them. */
export function developmentWord(key, ...values) {
  const found = words[language.current][key];
  return typeof found === "function" ? found(...values) : found;
}
