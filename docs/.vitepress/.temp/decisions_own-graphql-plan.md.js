import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Our own GraphQL plan","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/own-graphql-plan.md","filePath":"decisions/own-graphql-plan.md"}');
const _sfc_main = { name: "decisions/own-graphql-plan.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="our-own-graphql-plan" tabindex="-1">Our own GraphQL plan <a class="header-anchor" href="#our-own-graphql-plan" aria-label="Permalink to &quot;Our own GraphQL plan&quot;">​</a></h1><p>A mutation reaches the same endpoint as its REST route. With <code>graphql-js</code> alone it would pay ten times as much for it:</p><table tabindex="0"><thead><tr><th>CPU per call, without HTTP</th><th>µs</th></tr></thead><tbody><tr><td>REST</td><td>4.9</td></tr><tr><td><strong>plan</strong></td><td><strong>6.7</strong></td></tr><tr><td>graphql-jit (uses <code>eval</code>)</td><td>9.7</td></tr><tr><td>graphql-js, document cached</td><td>43–62</td></tr><tr><td>graphql-js, parsed and validated each time</td><td>532</td></tr></tbody></table><p><strong>Chosen:</strong> <code>graphql-js</code> parses and validates a document once; both results are cached by the text, at most 1,000 of them. If the document is a single mutation whose input is one variable, a plan of closures decodes, runs the endpoint and writes the selected fields as JSON. Everything else, and every invalid input, goes to <code>execute</code>, so error texts are those of <code>graphql-js</code>. So do reads and subscriptions: beside a query of the store the price of <code>execute</code> is small.</p><p>Documents are bounded before they are parsed: bytes, depth, number of fields, aliases and fragments.</p><p><strong>Trap:</strong> GraphQL refuses unknown input fields, REST ignores them; the plan decodes in the strict way.</p><p><strong>Price:</strong> two ways through the same door. A property test holds their answers against each other.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/own-graphql-plan.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ownGraphqlPlan = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ownGraphqlPlan as default
};
