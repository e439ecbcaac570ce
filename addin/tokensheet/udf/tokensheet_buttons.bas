Attribute VB_Name = "tokensheet_buttons"
Option Explicit

' What the buttons of the group Tokensheet do. Python does the work; here cells are read and answers shown.

Private Const ANSWERING As String = "tokensheet.buttons.excel"
Private Const TITLE As String = "Tokensheet"
Private Const REFUSED As String = "#TS!"
Private Const HOW As String = "select the cells of a plan: names such as model, gpus, context in the first column, and beside them their values"

' A planning workbook beside this one, from the selected block or from the function in the selected cell.
Public Sub TS_EXPORT_PLAN(control As IRibbonControl)
    Dim chosen As Range, answer As Variant
    On Error GoTo failed
    If TypeName(Selection) <> "Range" Then
        Tell HOW
        Exit Sub
    End If
    Set chosen = Selection
    If chosen.Areas.Count > 1 Then
        Tell "several blocks are selected; " & HOW
        Exit Sub
    End If
    If chosen.Cells.CountLarge = 1 Then
        answer = OfCall(chosen)
        If IsEmpty(answer) Then Set chosen = chosen.CurrentRegion
    Else
        Set chosen = Application.Intersect(chosen, chosen.Worksheet.UsedRange)
        If chosen Is Nothing Then
            Tell "the selected cells are empty; " & HOW
            Exit Sub
        End If
    End If
    If IsEmpty(answer) Then
        answer = Ask("EXPORT_BLOCK", Array(ActiveWorkbook.FullName, chosen.Value2, chosen.Formula))
    End If
    If Not WasRefused(answer) Then Workbooks.Open CStr(answer)
    Exit Sub
failed:
    Tell TS_LAST_LINE(Err.Description)
End Sub

' Plugins, tables and settings are read again; the person decides whether cells follow.
Public Sub TS_REFRESH_CATALOGUE(control As IRibbonControl)
    Dim answer As Variant
    On Error GoTo failed
    answer = Ask("REFRESH", Array())
    If WasRefused(answer) Then Exit Sub
    If MsgBox(answer & vbLf & vbLf & "Calculate all open workbooks anew?", vbYesNo + vbQuestion, TITLE) = vbYes Then
        Application.CalculateFull
    End If
    Exit Sub
failed:
    Tell TS_LAST_LINE(Err.Description)
End Sub

' The page with all functions, plugins' included, in the browser.
Public Sub TS_OPEN_REFERENCE(control As IRibbonControl)
    Dim answer As Variant
    On Error GoTo failed
    answer = Ask("REFERENCE", Array())
    If Not WasRefused(answer) Then ThisWorkbook.FollowHyperlink CStr(answer)
    Exit Sub
failed:
    Tell TS_LAST_LINE(Err.Description)
End Sub

' The plan of the first of our functions in a cell's formula; Empty when it calls none.
' Excel gives the values of the arguments, which may be cells of any sheet.
Private Function OfCall(ByVal cell As Range) As Variant
    Dim parts As Variant, values() As Variant, i As Long
    If Not cell.HasFormula Then Exit Function
    parts = Ask("CALL_IN", Array(cell.Formula))
    If Not IsArray(parts) Then
        If Left$(parts, Len(REFUSED)) = REFUSED Then OfCall = parts
        Exit Function
    End If
    ReDim values(0 To UBound(parts) - LBound(parts))
    values(0) = parts(LBound(parts))
    For i = 1 To UBound(values)
        If parts(LBound(parts) + i) <> "" Then values(i) = ValueOf(cell.Worksheet, CStr(parts(LBound(parts) + i)))
    Next i
    OfCall = Ask("EXPORT_CALL", Array(ActiveWorkbook.FullName, values))
End Function

' What an argument's text stands for; a cell in a currency format keeps all its digits.
Private Function ValueOf(ByVal sheet As Worksheet, ByVal text As String) As Variant
    If IsObject(sheet.Evaluate(text)) Then
        ValueOf = sheet.Evaluate(text).Value2
    Else
        ValueOf = sheet.Evaluate(text)
    End If
End Function

Private Function Ask(ByVal name As String, ByVal arguments As Variant) As Variant
    Ask = XLPy.CallUDF(ANSWERING, name, arguments, Nothing, ActiveCell)
End Function

' Whether Python gave a reason instead of an answer; the reason is shown.
Private Function WasRefused(ByVal answer As Variant) As Boolean
    If IsArray(answer) Then Exit Function
    If Left$(answer, Len(REFUSED)) <> REFUSED Then Exit Function
    WasRefused = True
    Tell Mid$(answer, Len(REFUSED) + 1)
End Function

Private Sub Tell(ByVal text As String)
    MsgBox text, vbExclamation, TITLE
End Sub
