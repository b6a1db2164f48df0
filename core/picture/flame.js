/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zoom, search and keys of a flame graph.  All that it knows of the boxes it reads from them: what
 * names hold is text here, and never anything else.
 */
(function () {
"use strict";

const MARGIN = 10, INSET = 3, BASE = 12, COLUMN = 7.23; /* pixels, as in svg.c */
const NARROWEST = 0.1, THIN = 3;
const LEAST_COLUMNS = 3;
const FIELD = 230; /* how wide the search is */

const svg = document.currentScript.ownerSVGElement;
const frame = svg.querySelector("#boxes");
const head = svg.querySelector("#head");
const details = svg.querySelector("#details");
const nominal = svg.viewBox.baseVal.width - 2 * MARGIN;

const axis = svg.querySelector("#axis"); /* of charts */

/*
 * Boxes stand before those below them, which end before the box number `end'; begin and width are
 * shares of the picture.
 */
const boxes = [];
let width = nominal;
let zoomed = null; /* the box that fills the width */
let current = null; /* the box that has the focus, or would get it */
let hits = [];

function element(name, attributes, parent) {
	const made = document.createElementNS(svg.namespaceURI, name);
	for (const key in attributes)
		made.setAttribute(key, attributes[key]);
	return parent.appendChild(made);
}

/* Of a part of the rectangle `this': where it is in it, in shares of it. */
function readPart(part) {
	const whole = this.width.baseVal.value;
	return {
		rect: part,
		begin: (part.x.baseVal.value - this.x.baseVal.value) / whole,
		width: part.width.baseVal.value / whole,
	};
}

function readBoxes() {
	const above = [];
	for (const group of frame.querySelectorAll("g")) {
		const rect = group.querySelector("rect");
		const about = group.querySelector("title").textContent.split("\n");
		const box = {
			group, rect,
			parts: Array.from(group.querySelectorAll(".part"), readPart, rect),
			text: group.querySelector("text"),
			name: about[0],
			shorter: group.dataset.base || about[0],
			about: about.join("   "),
			begin: (rect.x.baseVal.value - MARGIN) / nominal,
			width: rect.width.baseVal.value / nominal,
			y: rect.y.baseVal.value,
			number: boxes.length,
		};
		/* In charts, the outermost boxes of all lanes are below the first one. */
		const least = group.classList.contains("top") ? boxes[0].y + 1 : box.y;
		while (above.length && above[above.length - 1].y >= least)
			above.pop().end = box.number;
		box.parent = above.length ? above[above.length - 1] : null;
		above.push(box);
		boxes.push(box);
		box.top = group.classList.contains("top");
		group.box = box;
	}
	for (const box of above)
		box.end = boxes.length;
}

/* As much of TEXT, or else of its shorter form, as there is room for. */
function shorten(text, shorter, room) {
	const columns = Math.floor(room / COLUMN);
	if (Array.from(text).length <= columns)
		return text;
	const characters = Array.from(shorter);
	if (characters.length <= columns)
		return shorter;
	return columns < 1 ? "" : characters.slice(0, columns - 1).join("") + "\u2026";
}

function label(box, left, room) {
	const fits = room >= LEAST_COLUMNS * COLUMN;
	if (!box.text && fits)
		box.text = element("text", {y: box.y + BASE}, box.group);
	if (!box.text)
		return;
	box.text.textContent = fits ? shorten(box.name, box.shorter, room) : "";
	box.text.setAttribute("x", left + INSET);
}

function readMark(group) {
	const line = group.querySelector("line");
	return {
		group, line,
		text: group.querySelector("text"),
		label: group.querySelector("title").textContent.split("\n")[0],
		at: (line.x1.baseVal.value - MARGIN) / nominal,
	};
}

/* Draws the scale of a chart from the share FROM of it on, so much of it as SPAN says. */
function drawAxis(from, span) {
	const begin = Number(axis.dataset.begin) + from * Number(axis.dataset.span);
	const length = span * Number(axis.dataset.span);
	const about = length * 100 / width;
	const power = Math.pow(10, Math.floor(Math.log10(about)));
	const step = power * [1, 2, 5, 10].find(function (times) { return times * power >= about; });
	let taken = 0;
	axis.textContent = "";
	for (let value = Math.ceil(begin / step); value * step <= begin + length; value++) {
		const x = (value * step - begin) / length * width;
		const label = Number((value * step).toPrecision(9)) + " " + axis.dataset.unit;
		const needed = label.length * COLUMN;
		const before = x + needed > width;
		if (before && x - needed < taken)
			continue;
		taken = before ? x : x + needed;
		element("text", {x: MARGIN + x, y: axis.dataset.y, "text-anchor": before ? "end" : "start"},
			axis).textContent = label;
	}
}

/*
 * A mark's label stands behind it, in the room up to the next mark; or before it, if there is no
 * room but there.
 */
function drawMarks(from, span) {
	const places = marks.map(function (mark) { return (mark.at - from) / span * width; });
	let taken = 0;
	marks.forEach(function (mark, i) {
		const shown = places[i] >= 0 && places[i] <= width;
		const room = Math.min(width, i + 1 < marks.length ? places[i + 1] : width) - places[i];
		mark.group.style.display = shown ? "" : "none";
		mark.line.setAttribute("x1", MARGIN + places[i]);
		mark.line.setAttribute("x2", MARGIN + places[i]);
		const needed = Array.from(mark.label).length * COLUMN + 2 * INSET;
		const before = needed > room && needed <= places[i] - taken;
		mark.text.setAttribute("x", MARGIN + places[i] + (before ? -INSET : INSET));
		mark.text.setAttribute("text-anchor", before ? "end" : "start");
		mark.text.textContent =
			before ? mark.label : shorten(mark.label, mark.label, room - 2 * INSET);
		if (shown)
			taken = before ? places[i] : places[i] + Math.min(needed, room);
	});
}

function readArrow(group) {
	const line = group.querySelector("line");
	return {
		group, line,
		begin: (line.x1.baseVal.value - MARGIN) / nominal,
		end: (line.x2.baseVal.value - MARGIN) / nominal,
	};
}

function drawArrows(from, span) {
	for (const arrow of arrows) {
		const begin = (arrow.begin - from) / span, end = (arrow.end - from) / span;
		const shown = Math.max(begin, end) >= 0 && Math.min(begin, end) <= 1;
		arrow.group.style.display = shown ? "" : "none";
		arrow.line.setAttribute("x1", MARGIN + begin * width);
		arrow.line.setAttribute("x2", MARGIN + end * width);
	}
}

function isAbove(box, other) {
	return other && box.number < other.number && other.number < box.end;
}

function draw() {
	const from = zoomed ? zoomed.begin : 0;
	const span = zoomed ? zoomed.width : 1;
	for (const box of boxes) {
		const left = Math.max(0, (box.begin - from) / span) * width;
		const right = Math.min(1, (box.begin + box.width - from) / span) * width;
		box.shown = right - left >= Math.min(NARROWEST, box.width * width);
		box.group.style.display = box.shown ? "" : "none";
		if (!box.shown)
			continue;
		box.rect.setAttribute("x", MARGIN + left);
		box.rect.setAttribute("width", right - left);
		for (const part of box.parts) {
			part.rect.setAttribute("x", MARGIN + left + part.begin * (right - left));
			part.rect.setAttribute("width", part.width * (right - left));
		}
		box.group.classList.toggle("thin", right - left < THIN);
		label(box, MARGIN + left, right - left - 2 * INSET);
		box.group.classList.toggle("outer", isAbove(box, zoomed));
	}
	if (axis)
		drawAxis(from, span);
	drawMarks(from, span);
	drawArrows(from, span);
	reset.style.display = zoomed ? "" : "none";
	describe(null);
}

function zoom(box) {
	zoomed = box && box.parent ? box : null;
	draw();
}

/* Fits the picture to the window. */
function fit() {
	svg.removeAttribute("viewBox");
	svg.setAttribute("width", "100%");
	width = Math.max(300, svg.getBoundingClientRect().width - 2 * MARGIN);
	field.setAttribute("x", MARGIN + width - FIELD);
	matched.setAttribute("x", MARGIN + width);
	reset.setAttribute("x", MARGIN + width - FIELD - 12);
	draw();
}

/* Says what BOX is; where there is none, what is seen as a whole. */
function describe(box) {
	const about = (box || zoomed || boxes[0]).about;
	details.textContent = shorten(about, about, width);
}

function focus(box) {
	if (!box || !box.shown)
		return;
	if (current)
		current.group.setAttribute("tabindex", "-1");
	current = box;
	box.group.setAttribute("tabindex", "0");
	box.group.focus({preventScroll: true});
	const place = box.rect.getBoundingClientRect();
	const covered = head.getBoundingClientRect().height;
	if (place.top < covered)
		window.scrollBy(0, place.top - covered);
	else if (place.bottom > window.innerHeight)
		window.scrollBy(0, place.bottom - window.innerHeight);
}

/* Marks what has the text in its name, and says how much of all that is; "" takes it away. */
function search(what) {
	const outermost = boxes.filter(function (box) { return box.top; });
	let share = 0, all = 0, cover = null;
	hits = [];
	what = what.toLowerCase();
	for (const box of boxes) {
		const hit = what !== "" && box.parent && box.name.toLowerCase().includes(what);
		box.group.classList.toggle("hit", hit);
		if (!hit)
			continue;
		hits.push(box);
		if (cover && isAbove(cover, box))
			continue;
		cover = box;
		share += box.width;
	}
	for (const box of outermost.length ? outermost : [boxes[0]])
		all += box.width;
	frame.classList.toggle("searched", what !== "");
	matched.textContent = what === "" ? "" :
		hits.length + " found, matched " + (100 * share / all).toFixed(2) + " %";
}

/* Goes to the next of what was found, or the one before. */
function next(step) {
	const there = hits.filter(function (box) { return box.shown; });
	const after = there.findIndex(function (box) { return !current || box.number > current.number; });
	if (!there.length)
		return;
	if (step > 0)
		focus(there[after < 0 ? 0 : after]);
	else
		focus(there.filter(function (box) { return box.number < current.number; }).pop() ||
			there[there.length - 1]);
}

/* The shown box nearest to BOX that stands beside it, or below it, by STEP in the order. */
function beside(box, step) {
	for (let i = box.number + step; boxes[i]; i += step) {
		if (boxes[i].y === box.y && boxes[i].shown)
			return boxes[i];
	}
	return null;
}

/* The first box below BOX; in a chart, where there is none, that of the next lane. */
function below(box) {
	const under = boxes[box.number + 1];
	if (under && under.parent === box)
		return under;
	return boxes.find(function (other) { return other.top && other.y > box.y && other.shown; });
}

const moves = {
	ArrowUp: function (box) { return box.parent; },
	ArrowDown: below,
	ArrowLeft: function (box) { return beside(box, -1); },
	ArrowRight: function (box) { return beside(box, 1); },
};

function leave() {
	if (input.value !== "") {
		input.value = "";
		search("");
	} else {
		zoom(null);
	}
	focus(current);
}

function onKey(event) {
	const typing = event.target === input;
	const find = (event.ctrlKey || event.metaKey) && event.key === "f";
	if (event.altKey || ((event.ctrlKey || event.metaKey) && !find))
		return;
	if (find || (!typing && event.key === "/"))
		input.select();
	else if (event.key === "Escape")
		leave();
	else if (typing && event.key === "Enter")
		next(1);
	else if (typing)
		return;
	else if (event.target === reset && (event.key === "Enter" || event.key === " "))
		zoom(null);
	else if (current && (event.key === "Enter" || event.key === " "))
		zoom(current);
	else if (current && moves[event.key])
		focus(moves[event.key](current));
	else if (event.key === "n" || event.key === "N")
		next(event.key === "n" ? 1 : -1);
	else
		return;
	event.preventDefault();
}

function boxOf(event) {
	const group = event.target.closest && event.target.closest("#boxes g");
	return group ? group.box : null;
}

const field = element("foreignObject", {y: 8, width: FIELD, height: 26}, head);
const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
input.setAttribute("type", "search");
input.setAttribute("id", "search");
input.setAttribute("placeholder", "search: / or Ctrl-F");
input.setAttribute("aria-label", "Search");
field.appendChild(input);
const matched = element("text", {id: "matched", y: 49, "text-anchor": "end"}, head);
matched.setAttribute("aria-live", "polite");
const reset = element("text",
	{id: "reset", y: 24, "text-anchor": "end", tabindex: "0", role: "button"}, head);
reset.textContent = "show all (Esc)";

readBoxes();
const marks = Array.from(svg.querySelectorAll("#marks g"), readMark);
const arrows = Array.from(svg.querySelectorAll("#messages g"), readArrow);
current = boxes[0];
current.group.setAttribute("tabindex", "0");
fit();
input.addEventListener("input", function () { search(input.value); });
reset.addEventListener("click", function () { zoom(null); });
document.addEventListener("keydown", onKey);
window.addEventListener("resize", fit);
window.addEventListener("scroll", function () {
	head.setAttribute("transform", "translate(0," + window.scrollY + ")");
});
frame.addEventListener("click", function (event) {
	const box = boxOf(event);
	if (box) {
		focus(box);
		zoom(box);
	}
});
frame.addEventListener("mouseover", function (event) { describe(boxOf(event)); });
head.addEventListener("mouseover", function (event) {
	const group = event.target.closest && event.target.closest("#marks g");
	if (group)
		details.textContent = group.querySelector("title").textContent.split("\n").join("   ");
});
frame.addEventListener("mouseout", function () { describe(null); });
frame.addEventListener("focusin", function (event) { describe(boxOf(event)); });
})();
