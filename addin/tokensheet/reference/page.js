"use strict";
(function () {
  // What a search looks at: the whole row of a list, or the marked parts of an entry.
  function read(entry) {
    const parts = entry.matches(".find") ? [entry] : Array.from(entry.querySelectorAll(".find"));
    return { entry, text: parts.map((part) => part.textContent).join("\n").toLowerCase() };
  }

  const entries = Array.from(document.querySelectorAll(".entry"), read);
  const sections = Array.from(document.querySelectorAll(".section"));
  const search = document.getElementById("search");
  const found = document.getElementById("found");

  function look() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { entry, text } of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      count += entry.hidden ? 0 : 1;
    }
    for (const section of sections) {
      section.hidden = !section.querySelector(".entry:not([hidden])");
    }
    found.textContent = words.length ? `${count} of ${entries.length}` : "";
  }

  // A link may lead to what the search has hidden.
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      search.value = "";
      look();
      target.scrollIntoView();
    }
  }

  search.addEventListener("input", look);
  window.addEventListener("hashchange", follow);
  look();
  follow();
})();
