"""Small question banks in the layouts of other systems, written here, for the tests of what reads them."""

import base64
import io
import zipfile
from collections.abc import Mapping

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<?xml version="1.0"?>\n<!-- a box --><svg xmlns="http://www.w3.org/2000/svg"/>'

GIFT = r"""// a comment
$CATEGORY: $course$/top/Shapes/Rows and more

::Axis::Which axis \= rows?{
=Axis 0#Yes\: rows come first.
~Axis 1#Those are columns.
~%50%Both#Half.
####Rows come first.
}

::Trained::[html]<p>Which are <b>trained</b>?</p>{~%50%Table ~%50%Head ~%-100%Ids#No.}

Positions are trained.{T#They are.#Well seen.}

::Name::What is it called?{=learned =%80%lerned#Mind the spelling. =*#No.}

::Half::One half?{#0.5:0.01 =%50%0.6#Nearly.}

::Between::A number from 2 to 4?{#2..4}

::Pairs::Match.{=ids -> (N, T) =loss -> () = -> (N, d)}

A table has {=rows ~lines} and columns.

Tell us why.{}

::Many::Which?{~%100%a ~%100%b}

::Wild::Say it.{=learn*}

Only words.
"""

MOODLE = """<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="category"><category><text>$course$/top/Default for X/Shapes//sizes</text></category>
<info format="html"><text>&lt;p&gt;On shapes.&lt;/p&gt;</text></info></question>
<question type="multichoice"><name><text>Rows</text></name>
<questiontext format="html"><text><![CDATA[<p>See <img src="@@PLUGINFILE@@/my%20rows.png" alt="two rows"> and
\\(x_1 < 2\\).</p><script>alert(1)</script>]]></text>
<file name="my rows.png" path="/" encoding="base64">PNG</file></questiontext>
<generalfeedback format="html"><text>Rows first.</text></generalfeedback><defaultgrade>2.0000000</defaultgrade>
<single>true</single><shuffleanswers>false</shuffleanswers>
<correctfeedback format="html"><text>Your answer is correct.</text></correctfeedback>
<answer fraction="100" format="html"><text>Axis 0</text><feedback format="html"><text>Yes.</text></feedback></answer>
<answer fraction="33.33333" format="html"><text>Axis 1</text><feedback format="html">
<text>Half.</text></feedback></answer>
<answer fraction="-50" format="html"><text>None</text><feedback format="html"><text>No.</text></feedback></answer>
<hint format="html"><text>Look.</text></hint></question>
<question type="truefalse"><name><text>Trained</text></name><questiontext format="plain_text">
<text>Is *it* trained?</text>
</questiontext><answer fraction="0"><text>true</text></answer><answer fraction="100"><text>false</text><feedback>
<text>Right.</text></feedback></answer></question>
<question type="shortanswer"><name><text>Name</text></name><questiontext format="markdown">
<text>What is **it**?</text>
</questiontext><usecase>1</usecase><answer fraction="100"><text>learned</text></answer>
<answer fraction="0"><text>*</text><feedback><text>No.</text></feedback></answer></question>
<question type="numerical"><name><text>Half</text></name><questiontext format="html">
<text>One half?</text></questiontext>
<answer fraction="100"><text>5e-1</text><tolerance>0.01</tolerance></answer>
<answer fraction="0"><text>2</text><tolerance>0.01</tolerance><feedback><text>Turn it over.</text></feedback></answer>
</question>
<question type="matching"><name><text>Pairs</text></name><questiontext format="html">
<text>Match.</text></questiontext>
<subquestion format="html"><text>&lt;code&gt;ids&lt;/code&gt;</text><answer><text>(N, T)</text></answer></subquestion>
<subquestion format="html"><text>loss</text><answer><text>()</text></answer></subquestion>
<subquestion format="html"><text></text><answer><text>(N, d)</text></answer></subquestion></question>
<question type="ordering"><name><text>Steps</text></name><questiontext format="html">
<text>Order.</text></questiontext>
<answer fraction="1"><text>One</text></answer><answer fraction="2"><text>Two</text></answer></question>
<question type="cloze"><name><text>Gaps</text></name><questiontext format="html">
<text>A {1:SHORTANSWER:=table#Yes.~%50%list}
of {2:NUMERICAL:=32:0#Right.~12:0#Multiply.}, by {1:MULTICHOICE:=descent~hand\\}#No.}.</text></questiontext></question>
<question type="gapselect"><name><text>Words</text></name><questiontext format="html"><text>Put [[2]] by [[1]].</text>
</questiontext><selectoption><text>two</text><group>1</group></selectoption>
<selectoption><text>one</text><group>1</group></selectoption></question>
<question type="essay"><name><text>Why</text></name><questiontext format="html"><text>Why?</text></questiontext>
<graderinfo format="html"><text>&lt;ul&gt;&lt;li&gt;one&lt;/li&gt;&lt;/ul&gt;</text></graderinfo></question>
<question type="description"><name><text>Note</text></name><questiontext format="html">
<text>Read on.</text></questiontext>
</question>
<question type="calculated"><name><text>Sum</text></name><questiontext format="html">
<text>{a}+{b}</text></questiontext>
</question>
<question type="multichoice"><name><text>Unsound</text></name><questiontext format="html"><text>Which?</text>
</questiontext><single>true</single><answer fraction="0"><text>a</text></answer><answer fraction="0"><text>b</text>
</answer>
</question>
<question type="coderunner"><name><text>Sum of squares</text></name><questiontext format="html"><text>&lt;p&gt;Write
&lt;code&gt;total&lt;/code&gt;.&lt;/p&gt;</text></questiontext><coderunnertype>python3</coderunnertype>
<answer><![CDATA[def total(values):
    return sum(v * v for v in values)
]]></answer><answerpreload>def total(values):
    pass</answerpreload><testcases>
<testcase testtype="0" useasexample="1"><testcode><text>print(total([1, 2]))</text></testcode><stdin>
<text></text></stdin>
<expected><text>5</text></expected></testcase>
<testcase testtype="0" useasexample="0"><testcode><text>print(total([3]))</text></testcode><stdin>
<text></text></stdin>
<expected><text>9</text></expected></testcase>
<testcase testtype="0" useasexample="0"><testcode><text>print(total([int(input())]))</text></testcode><stdin>
<text>4</text>
</stdin><expected><text>16</text></expected></testcase></testcases></question>
<question type="coderunner"><name><text>In C</text></name><questiontext format="html"><text>C.</text></questiontext>
<coderunnertype>c_function</coderunnertype><answer>int f;</answer></question>
</quiz>
""".replace("PNG", base64.b64encode(PNG).decode())

QTI_1 = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2p1.dtd">
<questestinterop><assessment ident="a" title="Shapes"><section ident="s">
<item ident="i1" title="Rows"><itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>multiple_choice_question</fieldentry></qtimetadatafield>
<qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>2.0</fieldentry></qtimetadatafield>
</qtimetadata></itemmetadata><presentation><material><mattext texttype="text/html">&lt;p&gt;Which&amp;nbsp;axis?
&lt;img src="$IMS-CC-FILEBASE$/rows.png" alt="rows"&gt;&lt;/p&gt;</mattext></material>
<response_lid ident="r" rcardinality="Single"><render_choice>
<response_label ident="1"><material><mattext texttype="text/plain">Axis 0 &lt; 1</mattext></material></response_label>
<response_label ident="2"><material>
<mattext texttype="text/html">&lt;b&gt;Axis 1&lt;/b&gt;</mattext></material></response_label>
</render_choice></response_lid></presentation><resprocessing><outcomes>
<decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
<respcondition continue="Yes"><conditionvar><varequal respident="r">2</varequal></conditionvar>
<displayfeedback feedbacktype="Response" linkrefid="2_fb"/></respcondition>
<respcondition continue="No"><conditionvar><varequal respident="r">1</varequal></conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>
<itemfeedback ident="2_fb"><flow_mat><material>
<mattext>Those are columns.</mattext></material></flow_mat></itemfeedback>
</item>
<item ident="i2" title="Blanks"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>fill_in_multiple_blanks_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation>
<material><mattext texttype="text/html">&lt;p&gt;A [what] of [of].&lt;/p&gt;</mattext></material>
<response_lid ident="response_what"><material><mattext>what</mattext></material><render_choice>
<response_label ident="1"><material>
<mattext>table</mattext></material></response_label></render_choice></response_lid>
<response_lid ident="response_of"><material><mattext>of</mattext></material><render_choice>
<response_label ident="2"><material><mattext>rows</mattext></material></response_label>
<response_label ident="3"><material>
<mattext>lines</mattext></material></response_label></render_choice></response_lid>
</presentation></item>
<item ident="i3" title="Two"><presentation><material><mattext>Near two?</mattext></material><response_str ident="r">
<render_fib fibtype="Decimal"><response_label ident="a"/></render_fib></response_str></presentation><resprocessing>
<respcondition><conditionvar><or><varequal respident="r">2</varequal><and><vargte respident="r">1.9</vargte>
<varlte respident="r">2.1</varlte></and></or></conditionvar><setvar varname="SCORE">100</setvar></respcondition>
</resprocessing></item>
<item ident="i4" title="Upload"><presentation><material><mattext>Odd.</mattext></material>
<response_lid ident="r" rcardinality="Ordered"><render_choice><response_label ident="1"><material><mattext>x</mattext>
</material></response_label></render_choice></response_lid></presentation></item>
</section></assessment></questestinterop>
"""

QTI_2_HEAD = '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="{}">'
QTI_2: Mapping[str, str] = {
    "choice.xml": QTI_2_HEAD.format("Trained")
    + """<responseDeclaration identifier="R" cardinality="multiple" baseType="identifier"><correctResponse>
<value>A</value><value>B</value></correctResponse></responseDeclaration>
<outcomeDeclaration identifier="MAXSCORE"><defaultValue><value>2</value></defaultValue></outcomeDeclaration><itemBody>
<p>Below:</p><choiceInteraction responseIdentifier="R" shuffle="true" maxChoices="0">
<prompt>Which <em>two</em>?</prompt>
<simpleChoice identifier="A">Table<feedbackInline identifier="A">Yes.</feedbackInline></simpleChoice>
<simpleChoice identifier="B">Head</simpleChoice><simpleChoice identifier="C">Ids</simpleChoice></choiceInteraction>
</itemBody><modalFeedback identifier="m">Two are.</modalFeedback></assessmentItem>""",
    "gaps.xml": QTI_2_HEAD.format("Gaps")
    + """<responseDeclaration identifier="R1" cardinality="single" baseType="string"><correctResponse>
<value>table</value>
</correctResponse><mapping><mapEntry mapKey="table" mappedValue="2"/>
<mapEntry mapKey="list" mappedValue="1"/></mapping>
</responseDeclaration><responseDeclaration identifier="R2" cardinality="single" baseType="identifier">
<correctResponse>
<value>y</value></correctResponse></responseDeclaration><itemBody>
<p>A <textEntryInteraction responseIdentifier="R1"/> of
<inlineChoiceInteraction responseIdentifier="R2"><inlineChoice identifier="x">ids</inlineChoice>
<inlineChoice identifier="y">rows</inlineChoice></inlineChoiceInteraction>.</p></itemBody></assessmentItem>""",
    "match.xml": QTI_2_HEAD.format("Pairs")
    + """<responseDeclaration identifier="R" cardinality="multiple" baseType="directedPair"><correctResponse>
<value>i s</value><value>l n</value></correctResponse></responseDeclaration><itemBody>
<matchInteraction responseIdentifier="R"><prompt>Match.</prompt><simpleMatchSet>
<simpleAssociableChoice identifier="i">ids</simpleAssociableChoice>
<simpleAssociableChoice identifier="l">loss</simpleAssociableChoice></simpleMatchSet><simpleMatchSet>
<simpleAssociableChoice identifier="s">(N, T)</simpleAssociableChoice>
<simpleAssociableChoice identifier="n">()</simpleAssociableChoice>
<simpleAssociableChoice identifier="z">(N, d)</simpleAssociableChoice></simpleMatchSet></matchInteraction></itemBody>
</assessmentItem>""",
    "half.xml": QTI_2_HEAD.format("Half")
    + """<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>0.5</value>
</correctResponse></responseDeclaration><itemBody>
<p>One half? <textEntryInteraction responseIdentifier="R"/></p></itemBody>
<responseProcessing><responseCondition><responseIf><equal toleranceMode="absolute" tolerance="0.01 0.01">
<variable identifier="R"/><correct identifier="R"/></equal></responseIf></responseCondition></responseProcessing>
</assessmentItem>""",
    "steps.xml": QTI_2_HEAD.format("Steps")
    + """<responseDeclaration identifier="R" cardinality="ordered" baseType="identifier"><correctResponse>
<value>b</value><value>a</value></correctResponse></responseDeclaration><itemBody>
<orderInteraction responseIdentifier="R"><prompt>Order.</prompt><simpleChoice identifier="a">Then</simpleChoice>
<simpleChoice identifier="b">First</simpleChoice></orderInteraction></itemBody></assessmentItem>""",
    "spot.xml": QTI_2_HEAD.format("Spot")
    + """<itemBody><hotspotInteraction responseIdentifier="R"/></itemBody></assessmentItem>""",
    "test.xml": """<assessmentTest title="A week"><testPart><assessmentSection>
<assessmentItemRef href="steps.xml"/><assessmentItemRef href="choice.xml"/><assessmentItemRef href="gaps.xml"/>
<assessmentItemRef href="match.xml"/><assessmentItemRef href="half.xml"/><assessmentItemRef href="spot.xml"/>
</assessmentSection></testPart></assessmentTest>""",
    "imsmanifest.xml": "<manifest/>",
}


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()
